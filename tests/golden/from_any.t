# the attribute that has a value
{"columns":{"a":{"type":"text","from_any":["M","A"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"}}
e {"a":"1"}

{"columns":{"a":{"type":"text","from_any":["M","A"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"},"M":{"NULL":true}}
e {"a":"1"}

{"columns":{"a":{"type":"text","from_any":["M","A"],"null_if":"-"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"},"M":{"S":"-"}}
e {"a":"1"}

# none has one
{"columns":{"a":{"type":"text","from_any":["M","A"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"NULL":true}}
e {"a":null}

{"columns":{"a":{"type":"text","from_any":["M","A"]},"b":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"B":{"S":"1"}}
e {"b":"1"}

# several with one value; with different ones
{"columns":{"a":{"type":"integer","from_any":["M","A"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"007"},"M":{"N":"7"}}
e {"a":7}

{"columns":{"a":{"type":"text","from_any":["M","A"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"},"M":{"S":"2"}}
rejected ambiguous

{"columns":{"a":{"type":"text","from_any":["M","A","Z"],"prefer":"first"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"},"M":{"S":"2"},"Z":{"S":"2"}}
e {"a":"2","extra":{"A":{"S":"1"}}}

{"columns":{"a":{"type":"text","from_any":["M","A"],"prefer":"first"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"},"M":{"NULL":true}}
e {"a":"1"}

{"columns":{"a":{"type":"text","from_any":["M","A"],"prefer":"first"}},"rest":"reject"}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"},"M":{"S":"2"}}
rejected unknown-attribute

{"columns":{"a":{"type":"text","from_any":["M","A"],"prefer":"first"}},"nulls":"keep"}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"},"M":{"NULL":true}}
e {"a":"1","extra":{"M":{"NULL":true}}}

# members of maps, which keep the rest of the map
{"stages":[{"flatten":"M"}],"columns":{"a":{"type":"text","from_any":["M.c","C"],"prefer":"first"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"C":{"S":"1"},"M":{"M":{"c":{"S":"2"},"d":{"S":"3"}}}}
e {"a":"2","extra":{"C":{"S":"1"},"M":{"M":{"d":{"S":"3"}}}}}

{"stages":[{"flatten":"M"}],"columns":{"a":{"type":"text","from_any":["C","M.c"],"prefer":"first"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"C":{"S":"1"},"M":{"M":{"c":{"S":"2"}}}}
e {"a":"1","extra":{"M":{"M":{"c":{"S":"2"}}}}}

# a part among them
{"keys":{"PK":"E#{p}"},"columns":{"a":{"type":"text","from_any":["A","p"]}}}
{"PK":{"S":"E#1"},"Type":{"S":"E"}}
e {"a":"1"}

{"keys":{"PK":"E#{p}"},"columns":{"a":{"type":"text","from_any":["A","p"]}}}
{"PK":{"S":"E#1"},"Type":{"S":"E"},"A":{"S":"2"}}
rejected ambiguous

# a list of one is that one; an attribute called like the column is not it
{"columns":{"a":{"type":"text","from_any":"M"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"A":{"S":"1"},"M":{"S":"2"}}
e {"a":"2","extra":{"A":{"S":"1"}}}

# in elements
{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","ordinal":"n","columns":{"v":{"type":"text","from_any":["p","q"],"prefer":"first"}}}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"L":{"L":[{"M":{"q":{"S":"1"}}},{"M":{"p":{"S":"2"},"q":{"S":"3"}}}]}}
e {"id":"x"} | l {"id":"x","n":0,"v":"1"} | l {"id":"x","n":1,"v":"2","extra":{"q":{"S":"3"}}}

# in copies
{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"extract":{"into":"c","key":"k","columns":{"k":"text","v":{"type":"text","from_any":["p","q"],"prefer":"first"}}}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"k":{"S":"1"},"p":{"S":"2"},"q":{"S":"3"}}
?c {"k":"1","v":"2"} | e {"id":"x","extra":{"q":{"S":"3"}}}
