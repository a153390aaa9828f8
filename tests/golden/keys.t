# parts become columns
{"keys":{"PK":"C#{c}#{n:bigint:3}"},"columns":{"c":"text","n":"bigint"}}
{"PK":{"S":"C#x#007"},"Type":{"S":"E"}}
e {"c":"x","n":7}

# no columns given: the parts
{"keys":{"PK":"C#{c}#{n:bigint}"}}
{"PK":{"S":"C#x#7"},"Type":{"S":"E"},"z":{"BOOL":true}}
e {"c":"x","n":7,"extra":{"z":{"BOOL":true}}}

# type right, template wrong
{"keys":{"PK":"C#{c}"}}
{"PK":{"S":"D#x"},"Type":{"S":"E"}}
rejected key-template

# a typed part must print back
{"keys":{"PK":"C#{n:bigint}"}}
{"PK":{"S":"C#007"},"Type":{"S":"E"}}
rejected key-template

# no type attribute: by the templates
{"keys":{"PK":"C#{c}"}}
{"PK":{"S":"C#x"}}
e {"c":"x"}

# no type attribute and no match
{"keys":{"PK":"C#{c}"}}
{"PK":{"S":"D#x"}}
unrouted

# another type
{"keys":{"PK":"C#{c}"}}
{"PK":{"S":"C#x"},"Type":{"S":"F"}}
unrouted

# the name and the types
{"types":["e1","e2"],"keys":{"PK":"C#{c}"}}
{"PK":{"S":"C#x"},"Type":{"S":"e2"}}
e {"c":"x"}

{"types":["e1","e2"],"keys":{"PK":"C#{c}"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"}}
e {"c":"x"}

# part and attribute agree
{"keys":{"PK":"C#{c}"},"columns":{"c":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"C":{"S":"x"}}
e {"c":"x"}

# they agree as values of the column
{"keys":{"PK":"C#{n:integer:3}"},"columns":{"n":{"type":"integer","from":"No"}}}
{"PK":{"S":"C#007"},"Type":{"S":"E"},"No":{"S":"007"}}
e {"n":7}

{"keys":{"PK":"C#{n:integer:3}"},"columns":{"n":{"type":"integer","from":"No"}}}
{"PK":{"S":"C#007"},"Type":{"S":"E"},"No":{"S":"008"}}
rejected key-mismatch

{"keys":{"PK":"C#{u}"},"columns":{"u":"uuid"}}
{"PK":{"S":"C#0B1C2D3E-0000-4000-8000-0123456789AB"},"Type":{"S":"E"},"U":{"S":"0b1c2d3e-0000-4000-8000-0123456789ab"}}
e {"u":"0b1c2d3e-0000-4000-8000-0123456789ab"}

{"keys":{"PK":"C#{c}"},"columns":{"c":"text"}}
{"PK":{"S":"C#007"},"Type":{"S":"E"},"C":{"S":"7"}}
rejected key-mismatch

# part and attribute differ
{"keys":{"PK":"C#{c}"},"columns":{"c":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"C":{"S":"y"}}
rejected key-mismatch

{"keys":{"PK":"C#{c}"},"columns":{"c":"text"},"prefer":"attribute"}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"C":{"S":"y"}}
e {"c":"y"}

{"keys":{"PK":"C#{c}"},"columns":{"c":{"type":"text","prefer":"part"}}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"C":{"S":"y"}}
e {"c":"x"}

# the same part in two keys
{"keys":{"PK":"C#{c}","SK":"A#{c}"},"columns":{"c":"text"}}
{"PK":{"S":"C#x"},"SK":{"S":"A#y"},"Type":{"S":"E"}}
rejected key-mismatch

# a part of the column's name counts beside what its "from" names
{"keys":{"PK":"V#{v_id}"},"columns":{"v_id":{"type":"text","from":"vId"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"vId":{"S":"7"}}
rejected key-mismatch

{"keys":{"PK":"V#{v_id}"},"columns":{"v_id":{"type":"text","from":"vId"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"vId":{"S":"8"}}
e {"v_id":"8"}

{"keys":{"PK":"V#{v_id}"},"columns":{"v_id":{"type":"text","from":"vId"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"}}
e {"v_id":"8"}

{"keys":{"PK":"V#{v_id}"},"columns":{"v_id":{"type":"text","from":"vId","prefer":"part"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"vId":{"S":"7"}}
e {"v_id":"8"}

{"keys":{"PK":"V#{v_id}"},"columns":{"v_id":{"type":"text","from":"vId"}},"prefer":"attribute"}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"vId":{"S":"7"}}
e {"v_id":"7"}

# in snake case, too, and from a member of a map
{"keys":{"PK":"V#{vId}"},"columns":{"v_id":{"type":"bigint","from":"m.v"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"m":{"M":{"v":{"N":"7"}}}}
rejected key-mismatch

# the part of a stage
{"keys":{"PK":"V#{p}"},"stages":[{"keys":{"SK":"V#{v}"}}],"columns":{"p":"text","v":{"type":"text","from":"vId"}}}
{"PK":{"S":"V#8"},"SK":{"S":"V#9"},"Type":{"S":"E"},"vId":{"S":"7"}}
rejected key-mismatch

# another column says that it takes the part: nothing to compare
{"keys":{"PK":"V#{v}"},"columns":{"v":{"type":"text","from":"vId"},"in_key":{"type":"text","from":"v"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"vId":{"S":"7"}}
e {"v":"7","in_key":"8"}

# another column is called exactly like the part
{"keys":{"PK":"V#{vId}"},"columns":{"v_id":{"type":"text","from":"a"},"vId":{"type":"text","from":"b"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"a":{"S":"7"},"b":{"S":"8"}}
e {"v_id":"7","vId":"8"}

# "from" names a part, and the item has an attribute of that name
{"keys":{"PK":"V#{v}"},"columns":{"version":{"type":"text","from":"v"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"v":{"S":"7"}}
rejected key-mismatch

{"keys":{"PK":"V#{v}"},"columns":{"version":{"type":"text","from":"v"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"v":{"S":"8"}}
e {"version":"8"}

# "pick" keeps both, where it names both, and neither the attribute that it does not name
{"keys":{"PK":"V#{v}"},"stages":[{"pick":["v"]}],"columns":{"v":"text"}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"v":{"S":"7"}}
rejected key-mismatch

{"keys":{"PK":"V#{v}"},"stages":[{"pick":["a"]}],"columns":{"version":{"type":"text","from":"v"}}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"v":{"S":"7"}}
e {"version":"8"}

# "mask" hides both
{"keys":{"PK":"V#{v}"},"stages":[{"mask":{"fields":["v"],"method":"blank"}}],"columns":{"a":"text"}}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"v":{"S":"7"}}
e {"extra":{"v":{"S":""}}}

# the columns of an extract are another table's: a part of their name is a part of this one
{"keys":{"PK":"V#{id}"},"primary_key":"id","stages":[{"extract":{"into":"c","key":"id","columns":{"id":{"type":"text","from":"cId"}}}}]}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"cId":{"S":"7"}}
?c {"id":"7"} | e {"id":"8"}

# a key part of a number type agrees with a number
{"keys":{"PK":"C#{n:bigint:3}"},"columns":{"n":"bigint"}}
{"PK":{"S":"C#007"},"Type":{"S":"E"},"n":{"N":"7"}}
e {"n":7}

# an index key may be missing
{"keys":{"PK":"C#{c}","GSI1PK":"S#{s}"},"columns":{"c":"text","s":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"}}
e {"c":"x"}

# a primary key part needs no line under columns
{"keys":{"PK":"C#{c}"},"primary_key":"c","columns":{"a":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"a":{"S":"1"}}
e {"a":"1","c":"x"}

# a primary key that is nowhere
{"primary_key":"c","columns":{"a":"text"}}
{}
problem the primary key of "E" names "c", which is neither a column nor a key part

# a missing primary key value
{"primary_key":"c","columns":{"c":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"}}
rejected not-null

# first match wins, by when
{"renorm":1,"entities":{"A":{"when":{"n":{">":5}},"columns":{"n":"bigint"}},"B":{"when":{},"columns":{"n":"bigint"}}}}
{"Type":{"S":"B"},"n":{"N":"6"}}
a {"n":6}

{"renorm":1,"entities":{"A":{"when":{"n":{">":5}},"columns":{"n":"bigint"}},"B":{"when":{},"columns":{"n":"bigint"}}}}
{"Type":{"S":"A"},"n":{"N":"5"}}
b {"n":5}

# a type attribute that is no string names nothing
{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"N":"5"},"a":{"S":"v"}}
unrouted
