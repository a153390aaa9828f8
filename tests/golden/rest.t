# extra is the default
{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"z":{"S":"1"},"b":{"N":"2"}}
e {"extra":{"b":{"N":"2"},"z":{"S":"1"}}}

{"rest":"drop","columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"z":{"S":"1"}}
e {}

{"rest":"reject","columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"z":{"S":"1"}}
rejected unknown-attribute

{"rest":"reject","columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"1"}}
e {"a":"1"}

# the rule of the model, and the entity's own
{"renorm":1,"rest":"reject","entities":{"E":{"rest":"drop","columns":{"a":"text"}}}}
{"Type":{"S":"E"},"z":{"S":"1"}}
e {}

{"renorm":1,"rest":"reject","entities":{"E":{"columns":{"a":"text"}}}}
{"Type":{"S":"E"},"z":{"S":"1"}}
rejected unknown-attribute

# NULL is folded, or kept in extra too
{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"NULL":true}}
e {"a":null}

{"nulls":"keep","columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"NULL":true}}
e {"a":null,"extra":{"a":{"NULL":true}}}

# not null
{"columns":{"a":{"type":"text","not_null":true}}}
{"PK":{"S":"x"},"Type":{"S":"E"}}
rejected not-null

# '' is a value
{"columns":{"a":{"type":"text","not_null":true}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":""}}
e {"a":""}

# indexing attributes are not part of the rest
{"renorm":1,"source":{"key":["PK"],"indexing":["GSI*"]},"entities":{"E":{"columns":{"a":"text"}}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"GSI1PK":{"S":"g"},"Other":{"S":"o"}}
e {"extra":{"Other":{"S":"o"},"PK":{"S":"x"}}}

# a column called extra is taken
{"columns":{"extra":"text"}}
{}
problem table "e" has a column "extra", which is the name of the column for what the model does not name

# a missing key attribute
{"columns":{"a":"text"}}
{"Type":{"S":"E"},"a":{"S":"v"}}
rejected missing-key

# expired, not expired
{"renorm":1,"source":{"ttl":"t"},"entities":{"E":{"columns":{"a":"text"}}}}
{"Type":{"S":"E"},"t":{"N":"1782864000"}}
filtered

{"renorm":1,"source":{"ttl":"t"},"entities":{"E":{"columns":{"a":"text"}}}}
{"Type":{"S":"E"},"t":{"N":"1782864001"}}
e {"extra":{"t":{"N":"1782864001"}}}

# no database holds a NUL byte: not in a value, a name, at any depth, of a child either
{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"l":{"S":"\u0000"}}
rejected nul

{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"l\u0000":{"S":"1"}}
rejected nul

{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"l":{"L":[{"M":{"k":{"SS":["a\u0000"]}}}]}}
rejected nul

{"rest":"drop","columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"l":{"S":"\u0000"}}
e {}

{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"l":{"S":"\\u0000"}}
e {"extra":{"l":{"S":"\\u0000"}}}

{"keys":{"PK":"C#{c}"},"primary_key":["c"],"stages":[{"explode":{"from":"L","into":"k","columns":{"v":"text"}}}],"columns":{"c":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"L":{"L":[{"M":{"v":{"S":"1"},"w":{"S":"\u0000"}}}]}}
rejected nul

# the document of all that is left, whose column may name the lossy rule
{"stages":[{"document":{"from":"*","into":"all"}}],"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"b":{"S":"y\u0000"}}
rejected nul

{"stages":[{"document":{"from":"*","into":"all"}}],"columns":{"a":"text","all":{"type":"jsonb","lossy":["nul"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"b":{"S":"y\u0000"}}
e {"all":{"b":"y"}}

# what copies are ordered by is stored too
{"keys":{"PK":"O#{o}"},"primary_key":"o","stages":[{"extract":{"into":"c","key":"cid","rule":"latest","by":"at","columns":{"cid":"text","name":"text"}}}],"columns":{"o":"text","at":{"type":"text","lossy":["nul"]}}}
{"PK":{"S":"O#1"},"Type":{"S":"E"},"cid":{"S":"1"},"name":{"S":"n"},"at":{"S":"2\u0000"}}
rejected nul
