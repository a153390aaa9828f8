# parts become columns
{"keys":{"PK":"C#{c}#{n:bigint:3}"},"columns":{"c":"text","n":"bigint"}}
{"PK":{"S":"C#x#007"},"Type":{"S":"E"}}
e {"c":"x","n":7}

# no columns given: the parts
{"keys":{"PK":"C#{c}#{n:bigint}"}}
{"PK":{"S":"C#x#7"},"Type":{"S":"E"},"z":{"BOOL":true}}
e {"c":"x","n":7,"extra":{"z":{"BOOL":true}}}

# type right, template wrong
{"keys":{"PK":"C#{c}"}}
{"PK":{"S":"D#x"},"Type":{"S":"E"}}
rejected key-template

# a typed part must print back
{"keys":{"PK":"C#{n:bigint}"}}
{"PK":{"S":"C#007"},"Type":{"S":"E"}}
rejected key-template

# no type attribute: by the templates
{"keys":{"PK":"C#{c}"}}
{"PK":{"S":"C#x"}}
e {"c":"x"}

# no type attribute and no match
{"keys":{"PK":"C#{c}"}}
{"PK":{"S":"D#x"}}
unrouted

# another type
{"keys":{"PK":"C#{c}"}}
{"PK":{"S":"C#x"},"Type":{"S":"F"}}
unrouted

# the name and the types
{"types":["e1","e2"],"keys":{"PK":"C#{c}"}}
{"PK":{"S":"C#x"},"Type":{"S":"e2"}}
e {"c":"x"}

{"types":["e1","e2"],"keys":{"PK":"C#{c}"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"}}
e {"c":"x"}

# part and attribute agree
{"keys":{"PK":"C#{c}"},"columns":{"c":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"C":{"S":"x"}}
e {"c":"x"}

# part and attribute differ
{"keys":{"PK":"C#{c}"},"columns":{"c":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"C":{"S":"y"}}
rejected key-mismatch

{"keys":{"PK":"C#{c}"},"columns":{"c":"text"},"prefer":"attribute"}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"C":{"S":"y"}}
e {"c":"y"}

{"keys":{"PK":"C#{c}"},"columns":{"c":{"type":"text","prefer":"part"}}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"C":{"S":"y"}}
e {"c":"x"}

# the same part in two keys
{"keys":{"PK":"C#{c}","SK":"A#{c}"},"columns":{"c":"text"}}
{"PK":{"S":"C#x"},"SK":{"S":"A#y"},"Type":{"S":"E"}}
rejected key-mismatch

# a key part of a number type agrees with a number
{"keys":{"PK":"C#{n:bigint:3}"},"columns":{"n":"bigint"}}
{"PK":{"S":"C#007"},"Type":{"S":"E"},"n":{"N":"7"}}
e {"n":7}

# an index key may be missing
{"keys":{"PK":"C#{c}","GSI1PK":"S#{s}"},"columns":{"c":"text","s":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"}}
e {"c":"x"}

# a primary key part needs no line under columns
{"keys":{"PK":"C#{c}"},"primary_key":"c","columns":{"a":"text"}}
{"PK":{"S":"C#x"},"Type":{"S":"E"},"a":{"S":"1"}}
e {"a":"1","c":"x"}

# a primary key that is nowhere
{"primary_key":"c","columns":{"a":"text"}}
{}
problem the primary key of "E" names "c", which is neither a column nor a key part

# a missing primary key value
{"primary_key":"c","columns":{"c":"text"}}
{"PK":{"S":"x"},"Type":{"S":"E"}}
rejected not-null

# first match wins, by when
{"renorm":1,"entities":{"A":{"when":{"n":{">":5}},"columns":{"n":"bigint"}},"B":{"when":{},"columns":{"n":"bigint"}}}}
{"Type":{"S":"B"},"n":{"N":"6"}}
a {"n":6}

{"renorm":1,"entities":{"A":{"when":{"n":{">":5}},"columns":{"n":"bigint"}},"B":{"when":{},"columns":{"n":"bigint"}}}}
{"Type":{"S":"A"},"n":{"N":"5"}}
b {"n":5}

# a type attribute that is no string names nothing
{"columns":{"a":"text"}}
{"PK":{"S":"x"},"Type":{"N":"5"},"a":{"S":"v"}}
unrouted
