# a key attribute that nobody names is kept, whatever "indexing" says
{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"keys":{"PK":"u#{user_id}"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"user_id":"1","extra":{"SK":{"S":"follows#2"}}}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{user_id}"}}}}
{"PK":{"S":"u#1"},"SK":{"N":"2"},"Type":{"S":"E"}}
e {"user_id":"1","extra":{"SK":{"N":"2"}}}

# "rest" sees it
{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"rest":"reject","keys":{"PK":"u#{user_id}"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
rejected unknown-attribute

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"rest":"drop","keys":{"PK":"u#{user_id}"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"user_id":"1"}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}"},"stages":[{"document":{"from":"*","into":"doc"}}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"u":"1","doc":{"SK":"follows#2"}}

# a column or a stage takes it
{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"keys":{"PK":"u#{u}"},"columns":{"u":"text","sk":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"u":"1","sk":"follows#2"}

{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"keys":{"PK":"u#{u}"},"stages":[{"drop":["SK"]}]}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"u":"1"}

{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"keys":{"PK":"u#{u}"},"stages":[{"strip":["S*"]}]}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"u":"1"}

{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"keys":{"PK":"u#{u}"},"stages":[{"pick":["a"]}]}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"},"a":{"S":"1"}}
e {"u":"1","extra":{"a":{"S":"1"}}}

# a template explains only if each of its parts is taken
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"{how}#{whom}"},"columns":{"u":"text","whom":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"u":"1","whom":"2","extra":{"SK":{"S":"follows#2"}}}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"{how}#{whom}"},"columns":{"u":"text","whom":"text","how":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"u":"1","whom":"2","how":"follows"}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"A"},"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"A"},"Type":{"S":"E"}}
e {"u":"1"}

# the same part in another template does
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"u#{u}"},"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"u#1"},"Type":{"S":"E"}}
e {"u":"1"}

# a part that a stage drops, masks or derives from; a filter, a default and a new name take nothing
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"{how}#{whom}"},"stages":[{"drop":["how"]}],"columns":{"u":"text","whom":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"follows#2"},"Type":{"S":"E"}}
e {"u":"1","whom":"2"}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{whom}"},"stages":[{"mask":{"fields":["whom"],"method":"blank"}}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2"},"Type":{"S":"E"}}
e {"u":"1"}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{whom}"},"stages":[{"derive":{"w":"-{whom}-"}}],"columns":{"u":"text","w":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2"},"Type":{"S":"E"}}
e {"u":"1","w":"-2-"}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{whom}"},"stages":[{"derive":{"w":"-{whom}-"}}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2"},"Type":{"S":"E"}}
e {"u":"1","extra":{"SK":{"S":"f#2"}}}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{u}"},"stages":[{"derive":{"w":"-{u}-"}}],"columns":{"w":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#1"},"Type":{"S":"E"}}
e {"w":"-1-","extra":{"PK":{"S":"u#1"},"SK":{"S":"f#1"}}}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{whom}"},"stages":[{"filter":{"whom":"2*"}},{"default":{"whom":"3"}},{"rename":{"whom":"who"}}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2"},"Type":{"S":"E"}}
e {"u":"1","extra":{"SK":{"S":"f#2"}}}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{whom}"},"stages":[{"rename":{"whom":"who"}}],"columns":{"u":"text","who":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2"},"Type":{"S":"E"}}
e {"u":"1","who":"2"}

# what a child reads of its parent stays with the parent: there may be no child
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{whom}"},"primary_key":"u","columns":{"u":"text"},"stages":[{"explode":{"from":"L","into":"l","columns":{"w":{"type":"text","from":"^whom"}}}}]}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2"},"Type":{"S":"E"},"L":{"L":[{"M":{}}]}}
e {"u":"1","extra":{"SK":{"S":"f#2"}}} | l {"u":"1","ordinal":0,"w":"2"}

# an extract that made no copy took nothing
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{whom}#{name?}"},"stages":[{"extract":{"into":"n","key":"name","columns":{"name":"text","whom":"text"}}}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2"},"Type":{"S":"E"}}
e {"u":"1","extra":{"SK":{"S":"f#2"}}}

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}","SK":"f#{whom}#{name?}"},"stages":[{"extract":{"into":"n","key":"name","columns":{"name":"text","whom":"text"}}}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2#x"},"Type":{"S":"E"}}
?n {"name":"x","whom":"2"} | e {"u":"1"}

# attributes that are no keys: explained by a template, they are not kept a second time
{"keys":{"PK":"V#{p}"},"stages":[{"keys":{"SK":"V#{v}"}}],"columns":{"p":"text","v":"text"}}
{"PK":{"S":"V#8"},"SK":{"S":"V#9"},"Type":{"S":"E"}}
e {"p":"8","v":"9"}

{"keys":{"PK":"V#{p}"},"stages":[{"keys":{"SK":"V#{v}"}}],"columns":{"p":"text"}}
{"PK":{"S":"V#8"},"SK":{"S":"V#9"},"Type":{"S":"E"}}
e {"p":"8","extra":{"SK":{"S":"V#9"}}}

# a NULL matches no template
{"keys":{"PK":"V#{p}"},"stages":[{"keys":{"SK":"V#{v}"}}],"columns":{"p":"text","v":"text"}}
{"PK":{"S":"V#8"},"SK":{"NULL":true},"Type":{"S":"E"}}
e {"p":"8","extra":{"SK":{"NULL":true}}}

# of an element, too
{"keys":{"PK":"V#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","stages":[{"keys":{"k":"{a}#{b}"}}],"columns":{"a":"text"}}}]}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"L":{"L":[{"M":{"k":{"S":"1#2"}}}]}}
e {"p":"8"} | l {"p":"8","ordinal":0,"a":"1","extra":{"k":{"S":"1#2"}}}

# index attributes that "indexing" names are left out as before
{"renorm":1,"source":{"key":["PK"],"indexing":["PK","GSI*"]},"entities":{"E":{"keys":{"PK":"u#{u}","GSI1":"{a}#{b}"},"columns":{"u":"text","a":"text"}}}}
{"PK":{"S":"u#1"},"GSI1":{"S":"x#y"},"GSI2":{"S":"z"},"Type":{"S":"E"}}
e {"u":"1","a":"x"}

# what mask hides does not come back by the key
{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}"},"stages":[{"mask":["u"]}]}}}
{"PK":{"S":"u#1"},"SK":{"S":"x"},"Type":{"S":"E"}}
problem entity "E" masks values, and would keep its key attribute "SK" as it is in "extra"

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"u#{u}#{x}"},"stages":[{"mask":["u"]}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1#2"},"Type":{"S":"E"}}
problem entity "E" masks values, and would keep its key attribute "PK" as it is in "extra"

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"u#{u}"},"stages":[{"keys":{"A":"u#{m}#{x}"}},{"mask":["m"]}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"A":{"S":"u#1#2"},"Type":{"S":"E"}}
problem "E" masks a part of "A", and would keep "A" as it is in "extra"

{"renorm":1,"source":{"key":["PK","SK"]},"entities":{"E":{"keys":{"PK":"u#{u}"},"stages":[{"mask":{"fields":["u","SK"],"method":"blank"}}]}}}
{"PK":{"S":"u#1"},"SK":{"S":"x"},"Type":{"S":"E"}}
e {"u":"","extra":{"SK":{"S":""}}}

