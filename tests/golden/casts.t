# numbers as times
{"columns":{"t":{"type":"timestamptz","unit":"us"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"t":{"N":"-1"}}
e {"t":"1969-12-31T23:59:59.999999Z"}

{"columns":{"t":{"type":"timestamptz","unit":"s"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"t":{"N":"1.5"}}
e {"t":"1970-01-01T00:00:01.5Z"}

{"columns":{"t":"timestamptz"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"t":{"N":"15"}}
rejected cast

# numbers and strings that spell them
{"columns":{"a":"integer","b":"bigint","c":"numeric","d":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"12"},"b":{"N":"-5"},"c":{"S":"1.50"},"d":{"N":"1E2"}}
e {"a":12,"b":-5,"c":1.5,"d":"100"}

# no float by the way
{"columns":{"a":"double precision"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"N":"1"}}
rejected cast

{"columns":{"a":{"type":"double precision","lossy":"float"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"N":"0.1"}}
e {"a":0.1}

# fractions are cut only by name
{"columns":{"a":"bigint"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"N":"1.9"}}
rejected cast

{"columns":{"a":{"type":"bigint","lossy":["round"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"N":"1.9"}}
e {"a":1}

# bytes and sets inside jsonb
{"columns":{"a":"jsonb"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"M":{"b":{"B":"AQI="}}}}
rejected cast

{"columns":{"a":{"type":"jsonb","lossy":"json"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"M":{"b":{"B":"AQI="},"s":{"NS":["10","9"]}}}}
e {"a":{"b":"AQI=","s":[9,10]}}

# booleans
{"columns":{"a":"boolean"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"yes"}}
rejected cast

{"columns":{"a":"boolean"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"N":"1"}}
rejected cast

# lists and sets
{"columns":{"a":"text[]","b":"numeric[]","c":"bytea[]"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"L":[{"S":"z"},{"S":"a"}]},"b":{"NS":["10","9"]},"c":{"BS":["/w==","AA=="]}}
e {"a":["z","a"],"b":[9,10],"c":["AA==","/w=="]}

{"columns":{"a":"text[]"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"L":[{"S":"z"},{"N":"1"}]}}
rejected cast
