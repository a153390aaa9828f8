# several forms of the keys, tried in order
{"keys":[{"PK":"USER#{u}","SK":"A"},{"PK":"u#{u}"}],"columns":{"u":"text"}}
{"PK":{"S":"USER#1"},"SK":{"S":"A"},"Type":{"S":"E"}}
e {"u":"1"}

{"keys":[{"PK":"USER#{u}","SK":"A"},{"PK":"u#{u}"}],"columns":{"u":"text"}}
{"PK":{"S":"u#1"},"Type":{"S":"E"}}
e {"u":"1"}

# none of them
{"keys":[{"PK":"USER#{u}","SK":"A"},{"PK":"u#{u}"}],"columns":{"u":"text"}}
{"PK":{"S":"v#1"},"Type":{"S":"E"}}
rejected key-template

{"keys":[{"PK":"USER#{u}","SK":"A"},{"PK":"u#{u}"}],"columns":{"u":"text"}}
{"PK":{"N":"1"},"Type":{"S":"E"}}
rejected key-template

# a list of one form is that form
{"keys":[{"PK":"USER#{u}"}],"columns":{"u":"text"}}
{"PK":{"S":"USER#1"},"Type":{"S":"E"}}
e {"u":"1"}

# without a type attribute any of them makes the item the entity's, but wholly
{"keys":[{"PK":"USER#{u}","SK":"A"},{"PK":"u#{u}"}],"columns":{"u":"text"}}
{"PK":{"S":"u#1"}}
e {"u":"1"}

{"keys":[{"PK":"USER#{u}","SK":"A"},{"PK":"u#{u}"}],"columns":{"u":"text"}}
{"PK":{"S":"USER#1"},"SK":{"S":"B"}}
unrouted

{"keys":[{"PK":"USER#{u}","SK":"A"},{"PK":"u#{u}"}],"columns":{"u":"text"}}
{"PK":{"S":"USER#1"}}
unrouted

# each has parts of its own; those of the other forms are missing
{"keys":[{"PK":"{region}-{n:bigint}"},{"PK":"{n:bigint}"}]}
{"PK":{"S":"eu-7"},"Type":{"S":"E"}}
e {"region":"eu","n":7}

{"keys":[{"PK":"{region}-{n:bigint}"},{"PK":"{n:bigint}"}]}
{"PK":{"S":"7"},"Type":{"S":"E"}}
e {"n":7}

# the first that fits, though a later one would as well
{"keys":[{"PK":"u#{a}"},{"PK":"u#{b}#{c}"}]}
{"PK":{"S":"u#1#2"},"Type":{"S":"E"}}
e {"a":"1#2"}

{"keys":[{"PK":"u#{b}#{c}"},{"PK":"u#{a}"}]}
{"PK":{"S":"u#1#2"},"Type":{"S":"E"}}
e {"b":"1","c":"2"}

# a form whose templates all match comes before one that lacks an attribute
{"keys":[{"PK":"u#{a}","I":"g#{g}"},{"PK":"u#{b}"}]}
{"PK":{"S":"u#1"},"Type":{"S":"E"}}
e {"b":"1"}

# where there is none, the first that no attribute contradicts
{"keys":[{"PK":"u#{a}","I":"g#{g}"},{"PK":"v#{a}","I":"h#{g}"}]}
{"PK":{"S":"v#1"},"Type":{"S":"E"}}
e {"a":"1"}

{"keys":[{"PK":"u#{a}","I":"g#{g}"},{"PK":"v#{a}","I":"h#{g}"}]}
{"PK":{"S":"v#1"},"I":{"NULL":true},"Type":{"S":"E"}}
e {"a":"1","extra":{"I":{"NULL":true}}}

{"keys":[{"PK":"u#{a}","I":"g#{g}"},{"PK":"v#{a}","I":"h#{g}"}]}
{"PK":{"S":"v#1"},"I":{"S":"g#2"},"Type":{"S":"E"}}
rejected key-template

# a part must agree with an attribute in whatever form it comes
{"keys":[{"PK":"USER#{u}"},{"PK":"u#{u}"}],"columns":{"u":"text"}}
{"PK":{"S":"u#1"},"u":{"S":"2"},"Type":{"S":"E"}}
rejected key-mismatch

{"keys":[{"PK":"USER#{u}"},{"PK":"u#{u}"}],"columns":{"u":{"type":"text","prefer":"part"}}}
{"PK":{"S":"u#1"},"u":{"S":"2"},"Type":{"S":"E"}}
e {"u":"1"}

# a primary key from whichever form there is
{"keys":[{"PK":"USER#{u}"},{"PK":"u#{u}#{x}"}],"primary_key":"u","columns":{"x":"text"}}
{"PK":{"S":"u#1#2"},"Type":{"S":"E"}}
e {"x":"2","u":"1"}

{"keys":[{"PK":"USER#{u}"},{"PK":"u#{x}"}],"primary_key":"u","columns":{"x":"text"}}
{"PK":{"S":"u#1"},"Type":{"S":"E"}}
rejected not-null

# "when" decides about the entity, not about the form
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"when":{"a":{"exists":true}},"keys":[{"PK":"USER#{u}"},{"PK":"u#{u}"}]}}}
{"PK":{"S":"u#1"},"a":{"N":"1"}}
e {"u":"1","extra":{"a":{"N":"1"}}}

# explained is what the item's own form takes apart completely
{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"keys":[{"PK":"USER#{u}","SK":"A#{x}"},{"PK":"u#{u}","SK":"{how}#{x}"}],"columns":{"u":"text","x":"text"}}}}
{"PK":{"S":"USER#1"},"SK":{"S":"A#2"},"Type":{"S":"E"}}
e {"u":"1","x":"2"}

{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"keys":[{"PK":"USER#{u}","SK":"A#{x}"},{"PK":"u#{u}","SK":"{how}#{x}"}],"columns":{"u":"text","x":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"B#2"},"Type":{"S":"E"}}
e {"u":"1","x":"2","extra":{"SK":{"S":"B#2"}}}

{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"keys":[{"PK":"USER#{u}","SK":"A#{x}"},{"PK":"u#{u}"}],"columns":{"u":"text","x":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"B#2"},"Type":{"S":"E"}}
e {"u":"1","extra":{"SK":{"S":"B#2"}}}

{"renorm":1,"source":{"key":["PK","SK"],"indexing":["*K"]},"entities":{"E":{"rest":"reject","keys":[{"PK":"USER#{u}","SK":"A#{x}"},{"PK":"u#{u}"}],"columns":{"u":"text","x":"text"}}}}
{"PK":{"S":"u#1"},"SK":{"S":"B#2"},"Type":{"S":"E"}}
rejected unknown-attribute

# an index attribute that the item's form does not explain is left out like any other
{"renorm":1,"source":{"key":["PK"],"indexing":["G*"]},"entities":{"E":{"keys":[{"PK":"USER#{u}","G1":"g#{g}"},{"PK":"u#{u}"}],"columns":{"u":"text","g":"text"}}}}
{"PK":{"S":"USER#1"},"G1":{"S":"g#2"},"Type":{"S":"E"}}
e {"u":"1","g":"2"}

{"renorm":1,"source":{"key":["PK"],"indexing":["G*"]},"entities":{"E":{"keys":[{"PK":"USER#{u}","G1":"g#{g}"},{"PK":"u#{u}"}],"columns":{"u":"text","g":"text"}}}}
{"PK":{"S":"u#1"},"G1":{"S":"g#2"},"Type":{"S":"E"}}
e {"u":"1"}

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"stages":[{"strip":["G*"]}],"keys":[{"PK":"USER#{u}","G1":"g#{g}"},{"PK":"u#{u}"}],"columns":{"u":"text","g":"text"}}}}
{"PK":{"S":"u#1"},"G1":{"S":"g#2"},"Type":{"S":"E"}}
e {"u":"1"}

# a column or a stage takes it whole
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":[{"PK":"USER#{u}","G1":"g#{g}"},{"PK":"u#{u}"}],"columns":{"u":"text","g":"text","g1":"text"}}}}
{"PK":{"S":"u#1"},"G1":{"S":"g#2"},"Type":{"S":"E"}}
e {"u":"1","g1":"g#2"}

# in the keys stage, too, also of an element
{"keys":{"PK":"V#{p}"},"stages":[{"keys":[{"code":"{a}-{b:bigint}"},{"code":"{a}/{c}"}]}]}
{"PK":{"S":"V#8"},"code":{"S":"x/y"},"Type":{"S":"E"}}
e {"p":"8","extra":{"code":{"S":"x/y"}}}

{"keys":{"PK":"V#{p}"},"stages":[{"keys":[{"code":"{a}-{b:bigint}"},{"code":"{a}/{c}"}]}],"columns":{"a":"text","c":"text"}}
{"PK":{"S":"V#8"},"code":{"S":"x/y"},"Type":{"S":"E"}}
e {"a":"x","c":"y","extra":{"PK":{"S":"V#8"}}}

{"keys":{"PK":"V#{p}"},"primary_key":"p","stages":[{"explode":{"from":"L","into":"l","stages":[{"keys":[{"k":"{a}-{b:bigint}"},{"k":"{a}"}]}],"columns":{"a":"text"}}}]}
{"PK":{"S":"V#8"},"Type":{"S":"E"},"L":{"L":[{"M":{"k":{"S":"x-1"}}},{"M":{"k":{"S":"x-y"}}}]}}
e {"p":"8"} | l {"p":"8","ordinal":0,"a":"x","extra":{"k":{"S":"x-1"}}} | l {"p":"8","ordinal":1,"a":"x-y"}

# an extract that made no copy took nothing
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":[{"PK":"u#{u}#{name?}"},{"PK":"v#{u}"}],"stages":[{"extract":{"into":"n","key":"name","columns":{"name":"text"}}}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1#x"},"Type":{"S":"E"}}
?n {"name":"x"} | e {"u":"1"}

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":[{"PK":"v#{u}"},{"PK":"u#{u}#{name}"}],"stages":[{"extract":{"into":"n","key":"u","columns":{"u":"text","z":"text"}}}],"columns":{"name":"text"}}}}
{"PK":{"S":"v#1"},"Type":{"S":"E"}}
?n {"u":"1"} | e {}

# what mask hides does not come back by the key of another form
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":[{"PK":"u#{u}"},{"PK":"v#{u}#{x}"}],"stages":[{"mask":["u"]}],"columns":{"u":"text"}}}}
{"PK":{"S":"u#1"},"Type":{"S":"E"}}
problem entity "E" masks values, and would keep its key attribute "PK" as it is in "extra"

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":[{"PK":"u#{u}"},{"PK":"v#{u}"}],"stages":[{"mask":{"fields":["u"],"method":"blank"}}],"columns":{"u":"text"}}}}
{"PK":{"S":"v#1"},"Type":{"S":"E"}}
e {"u":""}

# what is wrong with forms
{"keys":[]}
{}
problem "keys" is an empty list

{"keys":[{"PK":"u#{u}"},{}]}
{}
problem an empty form of "keys"

{"keys":[{"PK":"u#{u}","SK":"A"},{"SK":"A","PK":"u#{u}"}]}
{}
problem form 2 of "keys" is form 1 once more

{"keys":"u#{u}"}
{}
problem "keys" must be an object such as {"PK": "USER#{user_id}"}, or a list of them, not a string

{"keys":["u#{u}"]}
{}
problem "keys" must be an object, not a string

# there is no type attribute
{"renorm":1,"source":{"type":null,"key":["PK"]},"entities":{"E":{"keys":{"PK":"u#{u}"}},"F":{"when":{"PK":"f#*"},"columns":{"type":"text"}}}}
{"PK":{"S":"u#1"},"Type":{"S":"F"}}
e {"u":"1","extra":{"Type":{"S":"F"}}}

{"renorm":1,"source":{"type":null,"key":["PK"]},"entities":{"E":{"keys":{"PK":"u#{u}"}},"F":{"when":{"PK":"f#*"},"columns":{"type":"text"}}}}
{"PK":{"S":"f#1"},"Type":{"S":"E"}}
f {"type":"E","extra":{"PK":{"S":"f#1"}}}

{"renorm":1,"source":{"type":null},"entities":{"E":{"keys":{"PK":"u#{u}"}},"F":{"keys":{"PK":"u#{u}"}}}}
{"PK":{"S":"v#1"},"Type":{"S":"E"}}
unrouted

{"renorm":1,"source":{"type":null},"entities":{"E":{"columns":{"a":"text"}}}}
{}
problem nothing recognises entity "E": "type" is null, and it has neither "when" nor "keys"

{"renorm":1,"source":{"type":null},"entities":{"E":{"keys":{"PK":"u#{u}"},"types":["x"]}}}
{}
problem entity "E" has "types", but "type" is null: there is no type attribute

{"renorm":1,"source":{"type":""},"entities":{"E":{"keys":{"PK":"u#{u}"}}}}
{}
problem "type" is empty
