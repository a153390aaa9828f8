# a map here, NULL there: the columns of its members are NULL
{"stages":[{"flatten":"Address"}],"columns":{"address_city":"text","zip":{"type":"text","from":"Address.Zip"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"NULL":true}}
e {"address_city":null,"zip":null}

{"stages":[{"flatten":"Address"}],"columns":{"address_city":"text","zip":{"type":"text","from":"Address.Zip"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"M":{"City":{"S":"Oslo"},"Zip":{"NULL":true}}}}
e {"address_city":"Oslo","zip":null}

{"stages":[{"flatten":"Address"}],"columns":{"address_city":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"}}
e {}

# told apart where that is wanted; kept where no column would say it
{"nulls":"keep","stages":[{"flatten":"Address"}],"columns":{"address_city":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"NULL":true}}
e {"address_city":null,"extra":{"Address":{"NULL":true}}}

{"stages":[{"flatten":"Address"}],"columns":{"city":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"NULL":true}}
e {"extra":{"Address":{"NULL":true}}}

# a map within, NULL there
{"stages":[{"flatten":"Address"}],"columns":{"address_geo_lat":"numeric","address_city":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"M":{"City":{"S":"Oslo"},"Geo":{"NULL":true}}}}
e {"address_city":"Oslo","extra":{"Address":{"M":{"Geo":{"NULL":true}}}}}

# an attribute of the item that is called like a member
{"stages":[{"flatten":"Address"}],"columns":{"address_type":"text","address_city":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"AddressType":{"S":"home"},"Address":{"NULL":true}}
e {"address_type":"home","address_city":null}

{"stages":[{"flatten":"Address"}],"columns":{"address_type":"text","address_city":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"NULL":true},"AddressType":{"S":"home"}}
e {"address_type":"home","address_city":null}

# a key column that is NULL is a reject like any other
{"stages":[{"flatten":"Address"}],"columns":{"address_city":{"type":"text","not_null":true}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"Address":{"NULL":true}}
rejected not-null

# in elements
{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","ordinal":"n","stages":[{"flatten":"v"}],"columns":{"v_a":"text"}}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"L":{"L":[{"M":{"v":{"NULL":true}}},{"M":{"v":{"M":{"a":{"S":"1"}}}}}]}}
e {"id":"x"} | l {"id":"x","n":0,"v_a":null} | l {"id":"x","n":1,"v_a":"1"}
