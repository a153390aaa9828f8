# names for the columns of a map's keys and values
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"Votes","into":"vote","key":"voter","value":"vote","columns":{"voter":"text","vote":"bigint"}}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"Votes":{"M":{"ann":{"N":"1"},"bob":{"N":"-1"}}}}
e {"p":"1"} | vote {"p":"1","voter":"ann","vote":1} | vote {"p":"1","voter":"bob","vote":-1}

# they are columns, and text, where the model says no more
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"Votes","into":"vote","key":"voter","value":"vote"}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"Votes":{"M":{"ann":{"N":"1"}}}}
e {"p":"1"} | vote {"p":"1","voter":"ann","vote":"1"}

{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"Votes","into":"vote","key":"voter"}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"Votes":{"M":{"ann":{"N":"1"}}}}
e {"p":"1"} | vote {"p":"1","voter":"ann","value":"1"}

# the members of a map of maps, one of which is called "key"
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"M","into":"m","key":"name","columns":{"key":"text","n":"bigint"}}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"M":{"M":{"a":{"M":{"key":{"S":"k"},"n":{"N":"5"}}}}}}
e {"p":"1"} | m {"p":"1","name":"a","key":"k","n":5}

# a column takes the key by "from"
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"M","into":"m","key":"k","columns":{"voter":{"type":"integer","from":"k"},"value":"bigint"}}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"M":{"M":{"7":{"N":"5"}}}}
e {"p":"1"} | m {"p":"1","voter":7,"value":5}

# stages of the element see the names
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"M","into":"m","key":"who","value":"n","columns":{"who":"text","n":"bigint"},"stages":[{"filter":{"n":{">":1}}}]}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"M":{"M":{"a":{"N":"1"},"b":{"N":"2"}}}}
e {"p":"1"} | m {"p":"1","who":"b","n":2}

# a set with a name for its values
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"Tags","into":"tag","value":"tag"}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"Tags":{"SS":["b","a"]}}
e {"p":"1"} | tag {"p":"1","tag":"a"} | tag {"p":"1","tag":"b"}

# a list of pairs stays one, a map is not taken for it
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","columns":{"name":{"type":"text","from":"key"},"n":{"type":"bigint","from":"value"}}}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"L":{"L":[{"M":{"key":{"S":"a"},"value":{"N":"1"}}}]}}
e {"p":"1"} | l {"p":"1","ordinal":0,"name":"a","n":1}

{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","columns":{"name":{"type":"text","from":"key"},"n":{"type":"bigint","from":"value"}}}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"L":{"M":{"key":{"S":"a"},"value":{"N":"1"}}}}
e {"p":"1"} | l {"p":"1","ordinal":0,"name":"a","n":1}

{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","columns":{"name":{"type":"text","from":"key"},"n":{"type":"bigint","from":"value"}}}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"L":{"M":{"ann":{"N":"1"},"bob":{"N":"2"}}}}
rejected explode-kind

{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"M","into":"m","key":"k","ordinal":"i"}}]}
{}
problem "ordinal" is for lists, "key" for maps: an explode takes one of them

{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"M","into":"m","key":"k","value":"k"}}]}
{}
problem "key" and "value" are both "k"

# what is empty may be dropped
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","empty":"drop"}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"L":{"L":[]}}
e {"p":"1"}

{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"M","into":"m","key":"k","empty":"drop"}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"M":{"M":{}}}
e {"p":"1"}

{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","empty":"drop"}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"L":{"NULL":true}}
e {"p":"1"}

{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","empty":"keep"}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"L":{"L":[]}}
e {"p":"1","extra":{"L":{"L":[]}}}

# nothing is left for "reject" to see
{"keys":{"PK":"P#{p}"},"primary_key":"p","rest":"reject","stages":[{"explode":{"from":"L","into":"l","empty":"drop"}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"L":{"L":[]}}
e {"p":"1"}

# a primary key of its own: no ordinal, unless it is named
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"explode":{"from":"L","into":"l","primary_key":"line","columns":{"line":"text","n":"bigint"}}}]}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"L":{"L":[{"M":{"line":{"S":"x"},"n":{"N":"1"}}}]}}
e {"o":"1"} | l {"o":"1","line":"x","n":1}

{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"explode":{"from":"L","into":"l","primary_key":["o","sku"],"ordinal":"i","columns":{"sku":"text"}}}]}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"L":{"L":[{"M":{"sku":{"S":"x"}}}]}}
e {"o":"1"} | l {"o":"1","i":0,"sku":"x"}

# an element without it is a reject
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"explode":{"from":"L","into":"l","primary_key":"line","columns":{"line":"text"}}}]}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"L":{"L":[{"M":{"n":{"N":"1"}}}]}}
rejected not-null

# a row below it has the key of the item, too
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"explode":{"from":"L","into":"l","primary_key":"line","columns":{"line":"text"},"stages":[{"explode":{"from":"T","into":"t"}}]}}]}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"L":{"L":[{"M":{"line":{"S":"x"},"T":{"SS":["a"]}}}]}}
e {"o":"1"} | l {"o":"1","line":"x"} | t {"o":"1","line":"x","value":"a"}

{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"explode":{"from":"L","into":"l","primary_key":"lin","columns":{"line":"text"}}}]}
{}
problem the primary key of table "l" names "lin", which is no column of it

# references of the child
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"explode":{"from":"L","into":"l","references":[{"columns":"sku","to":"nowhere"}],"columns":{"sku":"text"}}}]}
{}
problem no entity or stage makes a table "nowhere"

{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"explode":{"from":"L","into":"l","references":[{"columns":"skv","to":"e"}],"columns":{"sku":"text"}}}]}
{}
problem no column "skv" in table "l"

# two entities of one table explode into one child table
{"renorm":1,"source":{"key":["PK"]},"entities":{"A":{"table":"u","keys":{"PK":"A#{u}"},"primary_key":"u","stages":[{"explode":{"from":"Tags","into":"tag"}}]},"B":{"table":"u","keys":{"PK":"B#{u}"},"primary_key":"u","stages":[{"explode":{"from":"Labels","into":"tag"}}]}}}
{"PK":{"S":"B#1"},"Labels":{"SS":["x"]}}
u {"u":"1"} | tag {"u":"1","value":"x"}

# they agree about its columns and its key
{"renorm":1,"source":{"key":["PK"]},"entities":{"A":{"table":"u","keys":{"PK":"A#{u}"},"primary_key":"u","stages":[{"explode":{"from":"Tags","into":"tag","columns":{"value":"text"}}}]},"B":{"table":"u","keys":{"PK":"B#{u}"},"primary_key":"u","stages":[{"explode":{"from":"Tags","into":"tag","columns":{"value":"bigint"}}}]}}}
{}
problem column "value" of table "tag" is bigint here and text elsewhere

{"renorm":1,"source":{"key":["PK"]},"entities":{"A":{"table":"u","keys":{"PK":"A#{u}"},"primary_key":"u","stages":[{"explode":{"from":"Tags","into":"tag"}}]},"B":{"table":"u","keys":{"PK":"B#{u}"},"primary_key":"u","stages":[{"explode":{"from":"Tags","into":"tag","ordinal":"i","columns":{"value":"text"}}}]}}}
{}
problem table "tag" has another primary key where something else is exploded into it

# its rows belong to the rows of one table
{"renorm":1,"source":{"key":["PK"]},"entities":{"A":{"keys":{"PK":"A#{u}"},"primary_key":"u","stages":[{"explode":{"from":"Tags","into":"tag"}}]},"B":{"keys":{"PK":"B#{u}"},"primary_key":"u","stages":[{"explode":{"from":"Tags","into":"tag"}}]}}}
{}
problem table "tag" would belong to the rows of "a" and of "b"

# two lists of one item would have the same keys
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"A","into":"l"}},{"explode":{"from":"B","into":"l"}}]}
{}
problem two things are exploded into, or named, table "l"

# column lists that are written once
{"renorm":1,"source":{"key":["PK"]},"define":{"audit":{"by":{"type":"text","from":"User"},"n":"bigint"}},"entities":{"E":{"keys":{"PK":"P#{p}"},"primary_key":"p","columns":[{"p":"text"},"audit","note"],"stages":[{"explode":{"from":"L","into":"l","ordinal":"i","columns":"audit"}}]}}}
{"PK":{"S":"P#1"},"User":{"S":"u"},"n":{"N":"1"},"Note":{"S":"x"},"L":{"L":[{"M":{"User":{"S":"v"},"n":{"N":"2"}}}]}}
e {"p":"1","by":"u","n":1,"note":"x"} | l {"p":"1","i":0,"by":"v","n":2}

# a list may use the ones before it, and "define" may stand last
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"P#{p}"},"columns":"all"}},"define":{"audit":["by"],"all":["audit",{"p":"text"}]}}
{"PK":{"S":"P#1"},"By":{"S":"u"}}
e {"by":"u","p":"1"}

{"renorm":1,"source":{"key":["PK"]},"define":{"audit":["by"]},"entities":{"E":{"keys":{"PK":"P#{p}"},"columns":"audti"}}}
{}
problem no list of columns is called "audti"

{"renorm":1,"source":{"key":["PK"]},"define":{"audit":["by"]},"entities":{"E":{"keys":{"PK":"P#{p}"},"columns":["audit","by"]}}}
{}
problem column "by" stands twice in "columns"

{"renorm":1,"source":{"key":["PK"]},"define":{"audit":[{"by":{"type":"text","from":"X"}}]},"entities":{"E":{"keys":{"PK":"P#{p}"},"columns":["audit",{"x2":{"type":"text","from":"X"}}]}}}
{}
problem columns "by" and "x2" take the same attribute

# flatten goes as deep as columns ask
{"stages":[{"flatten":"m"}],"columns":{"m_a":"text","m_c_d":"bigint","m_c_g_h_i":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"a":{"S":"1"},"c":{"M":{"d":{"N":"3"},"e":{"N":"4"},"g":{"M":{"h":{"M":{"i":{"N":"5"}}}}}}}}}}
e {"m_a":"1","m_c_d":3,"m_c_g_h_i":5,"extra":{"m":{"M":{"c":{"M":{"e":{"N":"4"}}}}}}}

# a depth is kept to
{"stages":[{"flatten":{"from":"m","depth":1}}],"columns":{"m_a":"text","m_c_d":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"m":{"M":{"a":{"S":"1"},"c":{"M":{"d":{"N":"3"}}}}}}
e {"m_a":"1","extra":{"m":{"M":{"c":{"M":{"d":{"N":"3"}}}}}}}

# a column that takes a map whole, and names in camel case
{"stages":[{"flatten":"Ship"}],"columns":{"ship_to":"jsonb","ship_geo_point_lat_deg":"numeric"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Ship":{"M":{"To":{"M":{"a":{"S":"1"}}},"Geo":{"M":{"Point":{"M":{"LatDeg":{"N":"59.9"}}}}}}}}
e {"ship_to":{"a":"1"},"ship_geo_point_lat_deg":59.9}

# inside explode, too
{"keys":{"PK":"P#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","ordinal":"i","stages":[{"flatten":"m"}],"columns":{"m_a_b":"text"}}}]}
{"PK":{"S":"P#1"},"Type":{"S":"E"},"L":{"L":[{"M":{"m":{"M":{"a":{"M":{"b":{"S":"1"}}}}}}}]}}
e {"p":"1"} | l {"p":"1","i":0,"m_a_b":"1"}
