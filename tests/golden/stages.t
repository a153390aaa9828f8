# strip
{"stages":[{"strip":["GSI*"]}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"GSI1PK":{"S":"g"},"a":{"S":"v"},"b":{"S":"w"}}
e {"a":"v","extra":{"b":{"S":"w"}}}

# strip leaves what a column names
{"stages":[{"strip":["GSI*"]}],"columns":{"gsi1pk":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"GSI1PK":{"S":"g"},"GSI1SK":{"S":"h"}}
e {"gsi1pk":"g"}

# pick
{"stages":[{"pick":["a","b"]}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"1"},"b":{"S":"2"},"c":{"S":"3"}}
e {"a":"1","extra":{"b":{"S":"2"}}}

# drop
{"stages":[{"drop":["b","m.x"]}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"1"},"b":{"S":"2"},"m":{"M":{"x":{"S":"3"},"y":{"S":"4"}}}}
e {"a":"1","extra":{"m":{"M":{"y":{"S":"4"}}}}}

# rename
{"stages":[{"rename":{"old":"new"}}],"columns":{"new":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"old":{"S":"1"}}
e {"new":"1"}

# default fills what is missing, not what is NULL
{"stages":[{"default":{"a":"d","n":1.50}}],"columns":{"a":"text","n":"numeric"}}
{"PK":{"S":"x"},"Type":{"S":"E"}}
e {"a":"d","n":1.5}

{"stages":[{"default":{"a":"d"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"NULL":true}}
e {"a":null}

# flatten, one level
{"stages":[{"flatten":"m"}],"columns":{"m_a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"a":{"S":"1"},"b":{"S":"2"},"c":{"M":{"d":{"N":"3"}}}}}}
e {"m_a":"1","extra":{"m":{"M":{"b":{"S":"2"},"c":{"M":{"d":{"N":"3"}}}}}}}

# flatten, two levels
{"stages":[{"flatten":{"from":"m","depth":2}}],"columns":{"m_a":"text","m_c_d":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"a":{"S":"1"},"c":{"M":{"d":{"N":"3"}}}}}}
e {"m_a":"1","m_c_d":3}

# what is to be flattened is no map
{"stages":[{"flatten":"m"}],"columns":{"m_a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"S":"plain"}}
e {"extra":{"m":{"S":"plain"}}}

# explode a list of maps
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text"}}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"M":{"a":{"S":"1"},"z":{"BOOL":true}}},{"M":{"a":{"S":"2"}}}]}}
e {"c":"x"} | l {"c":"x","i":0,"a":"1","extra":{"z":{"BOOL":true}}} | l {"c":"x","i":1,"a":"2"}

# explode a list of scalars, told by its ordinal
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"value":"bigint"}}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"N":"5"},{"N":"5"}]}}
e {"c":"x"} | l {"c":"x","i":0,"value":5} | l {"c":"x","i":1,"value":5}

# explode a set
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"T","into":"t"}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"T":{"SS":["b","a"]}}
e {"c":"x"} | t {"c":"x","value":"a"} | t {"c":"x","value":"b"}

# a scalar is a list of one
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"T","into":"t"}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"T":{"S":"a"}}
e {"c":"x"} | t {"c":"x","value":"a"}

# explode a map
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"M","into":"m","columns":{"key":"text","value":"bigint"}}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"M":{"M":{"k1":{"N":"1"},"k2":{"N":"2"}}}}
e {"c":"x"} | m {"c":"x","key":"k1","value":1} | m {"c":"x","key":"k2","value":2}

# empty, NULL and missing lists make no rows; the first two stay in extra
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text"}}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[]}}
e {"c":"x","extra":{"L":{"L":[]}}}

{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text"}}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"NULL":true}}
e {"c":"x","extra":{"L":{"NULL":true}}}

{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text"}}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"}}
e {"c":"x"}

# a list inside a list, reading its grand-parent's attribute through the parent
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text"},"stages":[{"explode":{"from":"K","into":"k","ordinal":"j","columns":{"b":"text","up":{"type":"text","from":"^a"}}}}]}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"M":{"a":{"S":"1"},"K":{"L":[{"M":{"b":{"S":"q"}}}]}}}]}}
e {"c":"x"} | l {"c":"x","i":0,"a":"1"} | k {"c":"x","i":0,"j":0,"b":"q","up":"1"}

# a child that reads its parent's key part and attribute
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text","name":{"type":"text","from":"^Name"}}}}],"columns":{"c":"text","name":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"Name":{"S":"n"},"L":{"L":[{"M":{"a":{"S":"1"}}}]}}
e {"c":"x","name":"n"} | l {"c":"x","i":0,"a":"1","name":"n"}

# two children of one list: what the first drops inside a map, the second still sees
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"m":"jsonb"},"stages":[{"drop":["m.x"]}]}},{"explode":{"from":"L","into":"k","ordinal":"i","columns":{"m":"jsonb"}}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"M":{"m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}}}}]}}
e {"c":"x"} | l {"c":"x","i":0,"m":{"y":"2"}} | k {"c":"x","i":0,"m":{"x":"1","y":"2"}}

# no key, no children
{"stages":[{"explode":{"from":"L","into":"l"}}],"columns":{"a":"text"}}
{}
problem "L" is exploded, but table "e" has no primary key for its children

# filter inside explode leaves the element out
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"bigint"},"stages":[{"filter":{"a":{">":1}}}]}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"M":{"a":{"N":"1"}}},{"M":{"a":{"N":"2"}}}]}}
e {"c":"x"} | l {"c":"x","i":1,"a":2}

# extract
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"extract":{"into":"c","key":"cid","columns":{"cid":"text","name":{"type":"text","from":"CName"}}}}],"columns":{"o":"text","cid":"text"}}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"cid":{"S":"7"},"CName":{"S":"n"}}
?c {"cid":"7","name":"n"} | e {"o":"1","cid":"7"}

# no key to extract by: nothing is lost
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"extract":{"into":"c","key":"cid","columns":{"cid":"text","name":{"type":"text","from":"CName"}}}}],"columns":{"o":"text","cid":"text"}}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"CName":{"S":"n"}}
e {"o":"1","extra":{"CName":{"S":"n"}}}

# the same where the attribute is matched by name, and in an element
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"q":"text"},"stages":[{"extract":{"into":"p","key":"pid","columns":["pid","name"]}}]}}]}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"L":{"L":[{"M":{"Name":{"S":"n"}}},{"M":{"Pid":{"S":"7"},"Name":{"S":"m"}}}]}}
e {"o":"1"} | l {"o":"1","i":0,"extra":{"Name":{"S":"n"}}} | ?p {"pid":"7","name":"m"} | l {"o":"1","i":1}

# an attribute that is extracted and mentioned later
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"extract":{"into":"c","key":"cid","columns":["cid","name"]}},{"derive":{"d":"{Name}!"}}],"columns":{"o":"text","d":"text"}}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"Cid":{"S":"7"},"Name":{"S":"n"}}
?c {"cid":"7","name":"n"} | e {"o":"1","d":"n!"}

# merge: the items are candidates of their own row
{"keys":{"PK":"A#{a}"},"primary_key":"a","merge":"first","columns":{"a":"text","x":"text"}}
{"PK":{"S":"A#1"},"Type":{"S":"E"},"x":{"S":"v"},"y":{"N":"1"}}
?e {"a":"1","x":"v","extra":{"y":{"N":"1"}}}

# link: key and references
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"A":{"keys":{"PK":"A#{a}"},"primary_key":"a"},"R":{"keys":{"PK":"A#{x}","SK":"A#{y}"},"stages":[{"link":{"x":"a","y":"a"}}]}}}
{"Type":{"S":"R"},"PK":{"S":"A#1"},"SK":{"S":"A#2"}}
r {"x":"1","y":"2"}

# symmetric: the smaller first
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"A":{"keys":{"PK":"A#{a}"},"primary_key":"a"},"R":{"keys":{"PK":"A#{x}","SK":"A#{y}"},"stages":[{"link":{"x":"a","y":"a"},"symmetric":true}],"columns":{"x":"text","y":"text","w":"text"}}}}
{"Type":{"S":"R"},"PK":{"S":"A#2"},"SK":{"S":"A#1"},"w":{"S":"v"}}
?r {"x":"1","y":"2","w":"v"}

# symmetric: smaller is by value, whatever the type
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"A":{"keys":{"PK":"A#{a:numeric}"},"primary_key":"a"},"R":{"keys":{"PK":"A#{x:numeric}","SK":"A#{y:numeric}"},"stages":[{"link":{"x":"a","y":"a"},"symmetric":true}],"columns":{"x":"numeric","y":"numeric"}}}}
{"Type":{"S":"R"},"PK":{"S":"A#9"},"SK":{"S":"A#10"}}
?r {"x":9,"y":10}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"A":{"keys":{"PK":"A#{a:numeric}"},"primary_key":"a"},"R":{"keys":{"PK":"A#{x:numeric}","SK":"A#{y:numeric}"},"stages":[{"link":{"x":"a","y":"a"},"symmetric":true}],"columns":{"x":"numeric","y":"numeric"}}}}
{"Type":{"S":"R"},"PK":{"S":"A#10"},"SK":{"S":"A#9"}}
?r {"x":9,"y":10}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"A":{"keys":{"PK":"A#{a:uuid}"},"primary_key":"a"},"R":{"keys":{"PK":"A#{x:uuid}","SK":"A#{y:uuid}"},"stages":[{"link":{"x":"a","y":"a"},"symmetric":true}],"columns":{"x":"uuid","y":"uuid"}}}}
{"Type":{"S":"R"},"PK":{"S":"A#00000000-0000-0000-0000-0000000000ff"},"SK":{"S":"A#10000000-0000-0000-0000-000000000000"}}
?r {"x":"00000000-0000-0000-0000-0000000000ff","y":"10000000-0000-0000-0000-000000000000"}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"A":{"keys":{"PK":"A#{a:uuid}"},"primary_key":"a"},"R":{"keys":{"PK":"A#{x:uuid}","SK":"A#{y:uuid}"},"stages":[{"link":{"x":"a","y":"a"},"symmetric":true}],"columns":{"x":"uuid","y":"uuid"}}}}
{"Type":{"S":"R"},"PK":{"S":"A#10000000-0000-0000-0000-000000000000"},"SK":{"S":"A#00000000-0000-0000-0000-0000000000ff"}}
?r {"x":"00000000-0000-0000-0000-0000000000ff","y":"10000000-0000-0000-0000-000000000000"}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"A":{"keys":{"PK":"A#{a:bigint}"},"primary_key":"a"},"R":{"keys":{"PK":"A#{x:bigint}","SK":"A#{y:bigint}"},"stages":[{"link":{"x":"a","y":"a"},"symmetric":true}],"columns":{"x":"bigint","y":"bigint"}}}}
{"Type":{"S":"R"},"PK":{"S":"A#-1"},"SK":{"S":"A#1"}}
?r {"x":-1,"y":1}

# derive
{"stages":[{"derive":{"k":"{a|lower}#{n|pad:4}#{m.x}"}}],"columns":{"k":"text","a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"AbC"},"n":{"N":"42"},"m":{"M":{"x":{"S":"y"}}}}
e {"k":"abc#0042#y","a":"AbC","extra":{"m":{"M":{"x":{"S":"y"}}},"n":{"N":"42"}}}

# an input that is missing leaves it missing
{"stages":[{"derive":{"k":"{a}#{b}"}}],"columns":{"k":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"1"}}
e {"extra":{"a":{"S":"1"}}}

# a copy keeps its type
{"stages":[{"derive":{"k":"{a}"}}],"columns":{"k":"bigint","a":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"N":"7"}}
e {"k":7,"a":7}

# a typed copy is printed
{"stages":[{"derive":{"k":"{a:bigint:3}"}}],"columns":{"k":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"N":"7"}}
e {"k":"007","extra":{"a":{"N":"7"}}}

# a value that has no text
{"stages":[{"derive":{"k":"x{a}"}}],"columns":{"k":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"L":[]}}
rejected template

# filter
{"stages":[{"filter":{"n":{">=":5}}}],"columns":{"n":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"n":{"N":"4"}}
filtered

{"stages":[{"filter":{"drop":{"n":{">=":5}}}}],"columns":{"n":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"n":{"N":"4"}}
e {"n":4}

# filter sees what stages before it made
{"stages":[{"derive":{"k":"{a|upper}"}},{"filter":{"k":"YES"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"yes"}}
e {"a":"yes"}

# filter by a part
{"keys":{"PK":"C#{c}"},"stages":[{"filter":{"c":"x*"}}]}
{"PK":{"S":"C#y"},"Type":{"S":"E"}}
filtered

# mask hides, also in what is left over
{"stages":[{"mask":{"fields":["a","b"],"method":"blank"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"secret"},"b":{"S":"secret"}}
e {"a":"","extra":{"b":{"S":""}}}

# mask a member of a map that is left over
{"stages":[{"mask":{"fields":["m.pin"],"method":"blank"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"v"},"m":{"M":{"pin":{"S":"1234"},"ok":{"S":"y"}}}}
e {"a":"v","extra":{"m":{"M":{"ok":{"S":"y"},"pin":{"S":""}}}}}

# mask a whole map in what is left over
{"stages":[{"mask":{"fields":["m"],"method":"blank"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"v"},"m":{"M":{"pin":{"S":"1234"}}}}
e {"a":"v","extra":{"m":{"NULL":true}}}

# mask a member of a map of which a part is a column
{"stages":[{"mask":{"fields":["m.pin"],"method":"blank"}}],"columns":{"ok":{"type":"text","from":"m.ok"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"pin":{"S":"1234"},"ok":{"S":"y"},"z":{"S":"3"}}}}
e {"ok":"y","extra":{"m":{"M":{"pin":{"S":""},"z":{"S":"3"}}}}}

# mask a member of a map that is a column as a whole
{"stages":[{"mask":{"fields":["m.pin"],"method":"blank"}}],"columns":{"m":"jsonb"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"pin":{"S":"1234"},"ok":{"S":"y"}}}}
e {"m":{"ok":"y","pin":""}}

# a copy made before stays as it was
{"stages":[{"derive":{"b":"{a}"}},{"mask":{"fields":["a"],"method":"blank"}}],"columns":{"a":"text","b":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"v"}}
e {"a":"","b":"v"}

# a default that is masked
{"stages":[{"default":{"a":"d"}},{"mask":{"fields":["a"],"method":"blank"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"}}
e {"a":""}

# mask inside the elements of a list
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text"},"stages":[{"mask":{"fields":["a","b"],"method":"blank"}}]}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"M":{"a":{"S":"1"},"b":{"S":"2"}}}]}}
e {"c":"x"} | l {"c":"x","i":0,"a":"","extra":{"b":{"S":""}}}

# mask by hash
{"stages":[{"mask":["a"]}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"The quick brown fox jumps over the lazy dog"}}
e {"a":"f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"}

# mask a parent's attribute: every element masks the value itself, not what the one before made of it
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":{"type":"text","from":"^a"}},"stages":[{"mask":["^a"]}]}}],"columns":{"a":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"a":{"S":"The quick brown fox jumps over the lazy dog"},"L":{"L":[{"N":"1"},{"N":"2"}]}}
e {"a":"The quick brown fox jumps over the lazy dog","c":"x"} | l {"c":"x","i":0,"a":"f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8","extra":{"value":{"N":"1"}}} | l {"c":"x","i":1,"a":"f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8","extra":{"value":{"N":"2"}}}

# a member of a parent's map is hidden in the map too, and only there
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","columns":{"value":"bigint","m":{"type":"jsonb","from":"^m"}},"ordinal":"i","stages":[{"mask":{"fields":["^m.pin"],"method":"blank"}}]}},{"explode":{"from":"L","into":"k","columns":{"value":"bigint","m":{"type":"jsonb","from":"^m"}},"ordinal":"i"}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"m":{"M":{"pin":{"S":"1234"},"ok":{"S":"y"}}},"L":{"L":[{"N":"1"},{"N":"2"}]}}
e {"c":"x","extra":{"m":{"M":{"ok":{"S":"y"},"pin":{"S":"1234"}}}}} | l {"c":"x","i":0,"value":1,"m":{"ok":"y","pin":""}} | l {"c":"x","i":1,"value":2,"m":{"ok":"y","pin":""}} | k {"c":"x","i":0,"value":1,"m":{"ok":"y","pin":"1234"}} | k {"c":"x","i":1,"value":2,"m":{"ok":"y","pin":"1234"}}

# elements that another explode reads too stay as they are
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"m":"jsonb"},"stages":[{"mask":{"fields":["m.pin"],"method":"blank"}}]}},{"explode":{"from":"L","into":"k","ordinal":"i","columns":{"m":"jsonb"}}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"M":{"m":{"M":{"pin":{"S":"1"}}}}}]}}
e {"c":"x"} | l {"c":"x","i":0,"m":{"pin":""}} | k {"c":"x","i":0,"m":{"pin":"1"}}

# document
{"stages":[{"document":"Pay"}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"v"},"Pay":{"M":{"b":{"N":"1.50"},"a":{"L":[{"NULL":true}]}}}}
e {"a":"v","pay":{"a":[null],"b":1.5}}

# document of all that is left
{"stages":[{"document":{"from":"*","into":"rest"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"v"},"c":{"N":"1"},"b":{"SS":["y","x"]}}
e {"a":"v","rest":{"b":["x","y"],"c":1}}

# a keys stage
{"stages":[{"keys":{"Ref":"R#{r}"}}],"columns":{"r":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Ref":{"S":"R#9"}}
e {"r":"9","extra":{"PK":{"S":"x"}}}

# drop inside a map that is a column
{"columns":{"m":"jsonb"},"stages":[{"drop":["m.x"]}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}}}
e {"m":{"y":"2"}}

# a renamed member of a map
{"columns":{"n":"text"},"stages":[{"rename":{"m.x":"n"}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}}}
e {"n":"1","extra":{"m":{"M":{"y":{"S":"2"}}}}}

# pick a member of a map
{"columns":{"x":{"type":"text","from":"m.x"}},"stages":[{"pick":["m.x"]}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}},"z":{"S":"3"}}
e {"x":"1"}

# flatten after rename
{"columns":{"addr_city":"text"},"stages":[{"rename":{"Address":"addr"}},{"flatten":"addr"}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"M":{"City":{"S":"Oslo"}}}}
e {"addr_city":"Oslo"}

# explode below a map
{"keys":{"PK":"{c}"},"primary_key":"c","stages":[{"explode":{"from":"m.L","into":"l"}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"L":{"L":[{"S":"a"}]},"z":{"S":"3"}}}}
e {"c":"x","extra":{"m":{"M":{"z":{"S":"3"}}}}} | l {"c":"x","value":"a"}

# document of a part of a map
{"columns":{"a":"text"},"stages":[{"document":{"from":"m.d","into":"doc"}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"d":{"M":{"q":{"N":"1"}}},"z":{"S":"3"}}}}
e {"doc":{"q":1},"extra":{"m":{"M":{"z":{"S":"3"}}}}}

# derive from a part
{"keys":{"PK":"C#{c}"},"stages":[{"derive":{"k":"{c|upper}"}}],"columns":{"c":"text","k":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"}}
e {"c":"x","k":"X"}

# derive over an attribute of the same name
{"stages":[{"derive":{"a":"{a|upper}"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"v"}}
e {"a":"V","extra":{"a":{"S":"v"}}}

# extra of an element keeps a set
{"keys":{"PK":"{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text"},"rest":"drop"}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"L":{"L":[{"M":{"a":{"S":"1"},"z":{"S":"2"}}}]}}
e {"c":"x"} | l {"c":"x","i":0,"a":"1"}

# elements of mixed kinds
{"keys":{"PK":"{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text","value":"text"}}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"L":{"L":[{"M":{"a":{"S":"1"}}},{"S":"two"}]}}
e {"c":"x"} | l {"c":"x","i":0,"a":"1"} | l {"c":"x","i":1,"value":"two"}

# filter on ^ in an element
{"keys":{"PK":"C#{c}"},"primary_key":"c","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":{"a":"text"},"stages":[{"filter":{"^c":"x"}},{"derive":{"b":"{^c}-{a}"}}],"rest":"drop"}}]}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"M":{"a":{"S":"1"}}}]}}
e {"c":"x"} | l {"c":"x","i":0,"a":"1"}

# a stage before the drop still sees it
{"columns":{"m":"jsonb","k":"text"},"stages":[{"derive":{"k":"{m.x}!"}},{"drop":["m.x"]}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}}}
e {"m":{"y":"2"},"k":"1!"}

# drop two levels down
{"columns":{"m":"jsonb"},"stages":[{"drop":["m.n.x"]}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"n":{"M":{"x":{"S":"1"},"y":{"S":"2"}}},"o":{"S":"3"}}}}
e {"m":{"n":{"y":"2"},"o":"3"}}

# pick a whole map
{"columns":{"a":"text"},"stages":[{"pick":["m"]}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}},"z":{"S":"3"}}
e {"extra":{"m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}}}}
