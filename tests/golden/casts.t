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

# the unit is for strings that spell a number, too; other strings are ISO 8601 as ever
{"columns":{"t":{"type":"timestamptz","unit":"s"},"u":{"type":"timestamptz","unit":"ms"},"v":{"type":"timestamptz","unit":"s"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"t":{"S":"1609459200"},"u":{"S":"-0001.50"},"v":{"S":"2021-01-01 01:00:00.25+01:00"}}
e {"t":"2021-01-01T00:00:00Z","u":"1969-12-31T23:59:59.9985Z","v":"2021-01-01T00:00:00.25Z"}

{"columns":{"t":{"type":"timestamptz","unit":"s"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"t":{"S":" 1609459200"}}
rejected cast

{"columns":{"t":{"type":"timestamptz","unit":"us"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"t":{"S":"1.5"}}
rejected cast

{"columns":{"t":{"type":"timestamptz","unit":"us","lossy":"round"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"t":{"S":"1.5"}}
e {"t":"1970-01-01T00:00:00.000001Z"}

{"columns":{"t":"timestamptz"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"t":{"S":"1609459200"}}
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

# texts that stand for NULL: byte for byte, before the cast, not inside lists
{"columns":{"a":{"type":"text","null_if":["NULL","","N/A"]},"b":{"type":"integer","null_if":"-"},"c":{"type":"text[]","null_if":"N/A"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":""},"b":{"S":"-"},"c":{"L":[{"S":"N/A"}]}}
e {"a":null,"b":null,"c":["N/A"]}

{"columns":{"a":{"type":"text","null_if":["NULL"]},"b":{"type":"jsonb","null_if":"NULL"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"null"},"b":{"S":"NULL"}}
e {"a":"null","b":null}

{"columns":{"a":{"type":"text","null_if":"5"},"b":{"type":"integer","null_if":"-"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"N":"5"},"b":{"S":"--"}}
rejected cast

{"columns":{"a":{"type":"text","null_if":"","not_null":true}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":""}}
rejected not-null

# of the model: every column but those that name their own, and no key part
{"renorm":1,"source":{"indexing":["PK"]},"null_if":["NULL"],"entities":{"E":{"keys":{"PK":"E#{id}"},"primary_key":"id","columns":{"id":"text","a":"text","b":{"type":"text","null_if":[]},"c":{"type":"text","null_if":"-"}}}}}
{"PK":{"S":"E#NULL"},"Type":{"S":"E"},"a":{"S":"NULL"},"b":{"S":"NULL"},"c":{"S":"NULL"}}
e {"id":"NULL","a":null,"b":"NULL","c":"NULL"}

{"renorm":1,"null_if":["NULL"],"entities":{"E":{"columns":{"id":"text"},"primary_key":"id"}}}
{"Type":{"S":"E"},"id":{"S":"NULL"}}
rejected not-null

# of a column: its key part, too
{"renorm":1,"source":{"indexing":["PK"]},"entities":{"E":{"keys":{"PK":"E#{id}#{v}"},"primary_key":"id","columns":{"id":"text","v":{"type":"text","null_if":"NULL"}}}}}
{"PK":{"S":"E#1#NULL"},"Type":{"S":"E"}}
e {"id":"1","v":null}
