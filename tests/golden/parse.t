# JSON in a text is a value like any other: jsonb, with all digits
{"columns":{"p":{"type":"jsonb","parse":"json"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"{\"b\":[1.50,true,null,\"\\u00e9\"],\"a\":12345678901234567890123456789012345678}"}}
e {"p":{"a":12345678901234567890123456789012345678,"b":[1.5,true,null,"é"]}}

{"columns":{"p":{"type":"jsonb","parse":"json"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":" 7 "}}
e {"p":7}

# columns from members, flattened members, what is left
{"stages":[{"flatten":{"from":"P","parse":"json"}}],"columns":{"p_n":"bigint","city":{"type":"text","from":"P.adr.city"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"{\"n\":1,\"adr\":{\"city\":\"Oslo\",\"zip\":\"1\"},\"more\":[1]}"}}
e {"p_n":1,"city":"Oslo","extra":{"P":{"M":{"adr":{"M":{"zip":{"S":"1"}}},"more":{"L":[{"N":"1"}]}}}}}

# a map that is one already, and what is no text
{"stages":[{"flatten":{"from":"P","parse":"json"}}],"columns":{"p_n":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"M":{"n":{"N":"1"}}}}
e {"p_n":1}

{"stages":[{"flatten":{"from":"P","parse":"json"}}],"columns":{"p_n":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"NULL":true}}
e {"p_n":null}

# exploded, and parsed again inside
{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","ordinal":"n","parse":"json","columns":{"sku":"text","more":{"type":"jsonb","parse":"dynamodb"}}}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"L":{"S":"[{\"sku\":\"a\"},{\"sku\":\"b\",\"more\":\"{\\\"N\\\":\\\"1\\\"}\"}]"}}
e {"id":"x"} | l {"id":"x","n":0,"sku":"a"} | l {"id":"x","n":1,"sku":"b","more":1}

{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","parse":"json","key":"k","value":"v","columns":{"k":"text","v":"bigint"}}}]}
{"PK":{"S":"x"},"Type":{"S":"E"},"L":{"S":"{\"a\":1,\"b\":2}"}}
e {"id":"x"} | l {"id":"x","k":"a","v":1} | l {"id":"x","k":"b","v":2}

# typed JSON: a value, or the attributes of an item
{"columns":{"p":{"type":"jsonb","parse":"dynamodb"},"q":{"type":"text[]","parse":"dynamodb"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"{\"a\":{\"N\":\"1.0\"},\"b\":{\"S\":\"x\"}}"},"Q":{"S":"{\"SS\":[\"b\",\"a\"]}"}}
e {"p":{"a":1,"b":"x"},"q":["a","b"]}

{"columns":{"p":{"type":"jsonb","parse":"dynamodb"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"{\"S\":{\"S\":\"x\"}}"}}
e {"p":{"S":"x"}}

{"columns":{"p":{"type":"jsonb","parse":"dynamodb"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"{\"M\":{\"a\":{\"BOOL\":true}}}"}}
e {"p":{"a":true}}

# what does not parse
{"columns":{"p":{"type":"jsonb","parse":"json"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"{\"a\":1,}"}}
rejected parse

{"columns":{"p":{"type":"jsonb","parse":"json"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":""}}
rejected parse

{"columns":{"p":{"type":"jsonb","parse":"json"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"{\"a\":1,\"a\":1}"}}
rejected parse

{"columns":{"p":{"type":"jsonb","parse":"json"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"123456789012345678901234567890123456789"}}
rejected parse

{"columns":{"p":{"type":"jsonb","parse":"json"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"}}
rejected parse

{"columns":{"p":{"type":"jsonb","parse":"dynamodb"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"{\"a\":1}"}}
rejected parse

{"columns":{"p":{"type":"jsonb","parse":"dynamodb"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"[1]"}}
rejected parse

# stays a text by the rule that says so; texts that stand for NULL come before
{"columns":{"p":{"type":"jsonb","parse":"json","lossy":"parse"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"see above"}}
e {"p":"see above"}

{"stages":[{"flatten":{"from":"P","parse":"json","lossy":"parse"}}],"columns":{"p_n":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":"see above"}}
e {"extra":{"P":{"S":"see above"}}}

{"columns":{"p":{"type":"jsonb","parse":"json","null_if":["","NULL"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"P":{"S":""}}
e {"p":null}

# one attribute, one way
{"stages":[{"flatten":{"from":"P","parse":"json"}}],"columns":{"p":{"type":"jsonb","parse":"dynamodb"}}}
{"PK":{"S":"x"}}
problem "p" is parsed in two ways

{"stages":[{"derive":{"d":"{P}"}}],"columns":{"d":{"type":"jsonb","parse":"json"}}}
{"PK":{"S":"x"}}
problem "d" is made by a stage: only attributes of items are parsed
