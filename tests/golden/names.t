# from names the attribute
{"columns":{"a":{"type":"text","from":"B"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"B":{"S":"v"}}
e {"a":"v"}

# the very name
{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"v"}}
e {"a":"v"}

# the name in snake case
{"columns":{"order_id":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"orderID":{"S":"v"}}
e {"order_id":"v"}

# two attributes for one column
{"columns":{"order_id":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"orderID":{"S":"v"},"OrderId":{"S":"v"}}
rejected ambiguous

# a member of a map by from
{"columns":{"city":{"type":"text","from":"Address.City"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"M":{"City":{"S":"Oslo"},"Zip":{"S":"0155"}}}}
e {"city":"Oslo","extra":{"Address":{"M":{"Zip":{"S":"0155"}}}}}

# a member by a path of names, one of them with a dot
{"columns":{"city":{"type":"text","from":["a.b","City"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a.b":{"M":{"City":{"S":"Oslo"}}}}
e {"city":"Oslo"}

# the same with a backslash
{"columns":{"city":{"type":"text","from":"a\\.b.City"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a.b":{"M":{"City":{"S":"Oslo"}}}}
e {"city":"Oslo"}

# a column takes precedence over the strip of the key attribute it names
{"columns":{"PK":"text","type":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"}}
e {"PK":"x","type":"E"}

# type and key are not exported unless a column names them
{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"b":{"N":"1"}}
e {"extra":{"b":{"N":"1"}}}

# the table is the entity's name in snake case
{"renorm":1,"entities":{"OrderLine":{"columns":{"a":"text"}}}}
{"Type":{"S":"OrderLine"},"a":{"S":"v"}}
order_line {"a":"v"}

# a map as a whole and one of its members
{"columns":{"address":"jsonb","city":{"type":"text","from":"Address.City"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"M":{"City":{"S":"Oslo"},"Zip":{"S":"0155"}}}}
e {"address":{"City":"Oslo","Zip":"0155"},"city":"Oslo"}

# from comes before the name
{"columns":{"a":{"type":"text","from":"B"},"b":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"B":{"S":"1"}}
e {"a":"1"}

{"columns":{"a":{"type":"text","from":"B"},"b":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"B":{"S":"1"},"b":{"S":"2"}}
e {"a":"1","b":"2"}

# the very name comes before snake case
{"columns":{"orderID":"text","order_id":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"orderID":{"S":"1"}}
e {"orderID":"1"}

{"columns":{"orderID":"text","order_id":"text"},"stages":[{"filter":{"orderID":{"exists":true}}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"orderID":{"S":"1"}}
e {"orderID":"1"}

# the same whatever the order of the columns
{"columns":{"b":"text","a":{"type":"text","from":"B"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"B":{"S":"1"},"b":{"S":"2"}}
e {"b":"2","a":"1"}
