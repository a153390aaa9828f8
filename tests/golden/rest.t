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
e {"extra":{"Other":{"S":"o"}}}

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
