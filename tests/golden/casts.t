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

{"columns":{"a":"integer[]","b":"date[]","c":"boolean[]","d":{"type":"double precision[]","lossy":"float"},"e":"uuid[]"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"NS":["10","9"]},"b":{"SS":["2024-02-29"]},"c":{"L":[{"BOOL":true},{"NULL":true}]},"d":{"L":[{"N":"1.50"}]},"e":{"L":[]}}
e {"a":[9,10],"b":["2024-02-29"],"c":[true,null],"d":[1.5],"e":[]}

{"columns":{"a":{"type":"timestamptz[]","unit":"s"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"L":[{"N":"0"},{"S":"2024-02-29T12:00:00+02:00"}]}}
e {"a":["1970-01-01T00:00:00Z","2024-02-29T10:00:00Z"]}

{"columns":{"a":"bigint[]"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"L":[{"N":"1"},{"N":"1.5"}]}}
rejected cast

# other scalars become text by the rule that says so
{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"BOOL":true}}
rejected cast

{"columns":{"a":{"type":"text","lossy":"text"},"b":{"type":"text[]","lossy":["text"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"BOOL":true},"b":{"L":[{"S":"z"},{"N":"1.0"},{"BOOL":false},{"NULL":true}]}}
e {"a":"true","b":["z","1","false",null]}

{"columns":{"a":{"type":"text","lossy":"text"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"M":{}}}
rejected cast

# times without an offset, in a zone
{"columns":{"a":{"type":"timestamptz","zone":"Europe/Berlin"},"b":{"type":"timestamptz","zone":"+05:30"},"c":{"type":"timestamptz","zone":"UTC"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-07-01 12:00:00.25"},"b":{"S":"2024-02-29"},"c":{"S":"2024-07-01T12:00+02:00"}}
e {"a":"2024-07-01T10:00:00.25Z","b":"2024-02-28T18:30:00Z","c":"2024-07-01T10:00:00Z"}

{"columns":{"a":"timestamptz"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-07-01 12:00:00"}}
rejected cast

# twice, and never
{"columns":{"a":{"type":"timestamptz","zone":"Europe/Berlin"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-10-27T02:30:00"}}
rejected cast

{"columns":{"a":{"type":"timestamptz","zone":"Europe/Berlin"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-03-31T02:30:00"}}
rejected cast

{"columns":{"a":{"type":"timestamptz","zone":"Europe/Berlin","ambiguous":"earlier"},"b":{"type":"timestamptz","zone":"Europe/Berlin","ambiguous":"later"},"c":{"type":"timestamptz[]","zone":"Europe/Berlin","ambiguous":"later"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-10-27T02:30:00"},"b":{"S":"2024-10-27T02:30:00"},"c":{"L":[{"S":"2024-03-31T02:30:00"}]}}
e {"a":"2024-10-27T00:30:00Z","b":"2024-10-27T01:30:00Z","c":["2024-03-31T01:30:00Z"]}

# what clocks show, without a zone
{"columns":{"a":"timestamp","b":{"type":"timestamp","zone":"America/New_York","unit":"ms"},"c":{"type":"timestamp[]","zone":"UTC"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-02-29"},"b":{"N":"1700000000123"},"c":{"SS":["2024-07-01T12:00:00+02:00","2024-07-01 11:00"]}}
e {"a":"2024-02-29T00:00:00","b":"2023-11-14T17:13:20.123","c":["2024-07-01T11:00:00","2024-07-01T10:00:00"]}

{"columns":{"a":"timestamp"}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-02-29T00:00:00Z"}}
rejected cast

# other spellings
{"columns":{"a":{"type":"date","format":["%d.%m.%Y","iso"]},"b":{"type":"timestamptz","zone":"UTC","format":"%Y%m%dT%H%M%SZ"},"c":{"type":"date[]","format":"%-m/%-d/%y"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"29.02.2024"},"b":{"S":"20240229T120000Z"},"c":{"L":[{"S":"1/2/99"}]}}
e {"a":"2024-02-29","b":"2024-02-29T12:00:00Z","c":["1999-01-02"]}

{"columns":{"a":{"type":"date","format":["%d.%m.%Y","iso"]}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-02-29"}}
e {"a":"2024-02-29"}

{"columns":{"a":{"type":"date","format":"%d.%m.%Y"}}}
{"PK":{"S":"x"},"Type":{"S":"E"},"a":{"S":"2024-02-29"}}
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
