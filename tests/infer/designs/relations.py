# SPDX-License-Identifier: MIT
"""Designs with relationships that are easy to miss, or to see where there are none."""

from .kit import day, design, moment, money, person, serials, ulid, uuid, words


@design
def small_integers(d, r):
    """Ids from 1 up in three entities, and quantities of the same size: only the names tell who refers to whom."""
    d.conventions(strip=("Type",))
    user = d.table("user", "user_id", user_id="integer ~text ~bigint", name="text", logins="integer")
    category = d.table("category", "category_id", category_id="integer ~text ~bigint", title="text", rank="integer")
    ad = d.table("ad", "ad_id", {"user_id": "user", "category_id": "category"}, ad_id="integer ~text ~bigint", user_id="integer ~text ~bigint", category_id="integer ~text ~bigint", photos="integer", floor="integer", price="numeric")
    for n in range(1, 51):
        row = user.row(user_id=n, name=person(r), logins=r.randrange(1, 40))
        d.item(PK=f"USER#{n}", SK=f"USER#{n}", Type="User", Name=row["name"], Logins=row["logins"])
    for n in range(1, 41):
        row = category.row(category_id=n, title=words(r), rank=r.randrange(1, 41))
        d.item(PK=f"CATEGORY#{n}", SK=f"CATEGORY#{n}", Type="Category", Title=row["title"], Rank=row["rank"])
    for n in range(1, 161):
        row = ad.row(ad_id=n, user_id=r.randrange(1, 51), category_id=r.randrange(1, 41), photos=r.randrange(1, 13), floor=r.randrange(1, 31), price=money(r))
        d.item(PK=f"USER#{row['user_id']}", SK=f"AD#{n}", Type="Ad", CategoryId=row["category_id"], Photos=row["photos"], Floor=row["floor"], Price=row["price"])


@design
def mirrored(d, r):
    """A friendship is stored once from each side."""
    person_ = d.table("person", "person_id", person_id="text", name="text")
    friend = d.table("friend", ("person_id", "friend_id"), {"person_id": "person", "friend_id": "person"}, kind="link", person_id="text", friend_id="text", since="date", close="boolean")
    ids = sorted(f"p{n}" for n in serials(r, 40))
    for p in ids:
        row = person_.row(person_id=p, name=person(r))
        d.item(PK=f"PERSON#{p}", SK="PERSON", name=row["name"])
    pairs = {tuple(sorted(r.sample(ids, 2))) for _ in range(120)}
    for a, b in sorted(pairs):
        row = friend.row(person_id=a, friend_id=b, since=day(r), close=r.random() < 0.3)
        for x, y in ((a, b), (b, a)):
            d.item(PK=f"PERSON#{x}", SK=f"FRIEND#{y}", since=row["since"], close=row["close"])


@design
def dictionaries(d, r):
    """A map by member id, a map of texts by language, and a map that is only a group of columns."""
    d.conventions(strip=("Type",))
    user = d.table("user", "user_id", user_id="text", name="text", address_street="text", address_city="text")
    board = d.table("board", "board_id", board_id="text", created_at="timestamptz")
    access = d.table("board_access", ("board_id", "key"), {"board_id": "board", "key": "user"}, kind="child", board_id="text", key="text", role="text", since="date")
    title = d.table("board_title", ("board_id", "key"), {"board_id": "board"}, kind="child", board_id="text", key="text", value="text")
    users = [f"u{n}" for n in serials(r, 40)]
    for u in users:
        row = user.row(user_id=u, name=person(r), address_street=words(r), address_city=words(r, 1))
        d.item(PK=f"USER#{u}", SK="USER", Type="User", name=row["name"], address={"street": row["address_street"], "city": row["address_city"]})
    for n in serials(r, 50):
        b = board.row(board_id=f"b{n}", created_at=moment(r))
        roles, titles = {}, {}
        for u in r.sample(users, r.randrange(1, 6)):
            row = access.row(board_id=f"b{n}", key=u, role=r.choice(["read", "write"]), since=day(r))
            roles[u] = {"role": row["role"], "since": row["since"]}
        for lang in r.sample(["en", "no", "de", "fr", "it", "pt", "pl", "cs"], r.randrange(1, 5)):
            titles[lang] = title.row(board_id=f"b{n}", key=lang, value=words(r, 3))["value"]
        d.item(PK=f"BOARD#b{n}", SK="BOARD", Type="Board", createdAt=b["created_at"], access=roles, title=titles)


@design
def lists_with_references(d, r):
    """Lines of an order are a list of maps that name products; the order of lines counts."""
    d.conventions(key=("pk", "sk"), strip=("_type",))
    product = d.table("product", "product_id", product_id="uuid ~text", name="text", price="numeric")
    order = d.table("order", "order_id", order_id="text", placed_at="timestamptz")
    line = d.table("order_line", ("order_id", "ord"), {"order_id": "order", "product_id?": "product"}, kind="child", order_id="text", ord="integer", product_id="uuid ~text", quantity="integer", gift="boolean")
    ids = [uuid(r) for _ in range(30)]
    for p in ids:
        row = product.row(product_id=p, name=words(r, 3), price=money(r))
        d.item(pk=f"product#{p}", sk="product", _type="product", name=row["name"], price=row["price"])
    for _ in range(60):
        o = order.row(order_id=ulid(r), placed_at=moment(r))
        lines = []
        for k in range(r.randrange(1, 5)):
            row = line.row(order_id=o["order_id"], ord=k, product_id=r.choice(ids), quantity=r.randrange(1, 4), gift=True if r.random() < 0.2 else None)
            lines.append({"productId": row["product_id"], "quantity": row["quantity"], **({"gift": True} if row["gift"] else {})})
        d.item(pk=f"order#{o['order_id']}", sk="order", _type="order", placedAt=o["placed_at"], lines=lines)


@design
def stale_copies(d, r):
    """Orders repeat the customer's name and city; one in twelve was not brought up to date."""
    d.conventions(strip=("Type",))
    customer = d.table("customer", "customer_id", customer_id="text", name="text", city="text")
    order = d.table("order", "order_id", {"customer_id": "customer"}, order_id="text", customer_id="text", total="numeric", customer_name="text optional", customer_city="text optional")
    rows = [customer.row(customer_id=f"c{n}", name=f"{person(r)} {n}", city=words(r)) for n in serials(r, 30)]
    for c in rows:
        d.item(PK=f"CUSTOMER#{c['customer_id']}", SK="PROFILE", Type="Customer", Name=c["name"], City=c["city"])
    for n in serials(r, 150):
        c = r.choice(rows)
        name = "old " + c["name"] if r.random() < 0.08 else c["name"]
        row = order.row(order_id=f"o{n}", customer_id=c["customer_id"], total=money(r), customer_name=name, customer_city=c["city"])
        d.item(PK=f"CUSTOMER#{c['customer_id']}", SK=f"ORDER#o{n}", Type="Order", Total=row["total"], CustomerName=name, CustomerCity=c["city"])


@design
def only_copies(d, r):
    """Suppliers have no item: what is known of them stands on every product."""
    supplier = d.table("supplier", "supplier_id", kind="extract", supplier_id="text", supplier_name="text", supplier_country="text")
    product = d.table("product", "product_id", {"supplier_id": "supplier"}, product_id="text", supplier_id="text", title="text", price="numeric",
                      supplier_name="text optional", supplier_country="text optional")
    rows = [supplier.row(supplier_id=f"s{n}", supplier_name=f"{words(r)} {n}", supplier_country=r.choice(["NO", "AT", "FR", "IT"])) for n in serials(r, 25)]
    for n in serials(r, 200):
        s = rows[n % 25]
        row = product.row(product_id=f"p{n}", title=words(r, 3), price=money(r), **s)
        d.item(PK=f"PRODUCT#p{n}", SK=f"PRODUCT#p{n}", supplierId=row["supplier_id"], supplierName=row["supplier_name"], supplierCountry=row["supplier_country"], title=row["title"], price=row["price"])
    used = {n for row in product.rows for n in [row["supplier_id"]]}
    supplier.rows = [x for x in supplier.rows if x["supplier_id"] in used]


@design
def overloaded_index(d, r):
    """GSI1PK holds a status on orders, the e-mail on users (and nowhere else), the invoice's customer on invoices (the same)."""
    d.conventions(index=("GSI1PK", "GSI1SK"), strip=("Type", "GSI1SK"))
    user = d.table("user", "user_id", user_id="text", email="text", name="text")
    order = d.table("order", "order_id", {"user_id": "user"}, order_id="text", user_id="text", status="text", total="numeric")
    invoice = d.table("invoice", "invoice_id", {"user_id": "user"}, invoice_id="text", user_id="text", amount="numeric", due_on="date")
    ids = [f"u{n}" for n in serials(r, 40)]
    for u in ids:
        row = user.row(user_id=u, email=f"{words(r, 1)}.{u}@example.com", name=person(r))
        d.item(PK=f"USER#{u}", SK="USER", Type="User", GSI1PK=f"EMAIL#{row['email']}", GSI1SK="USER", name=row["name"])
    for n in serials(r, 90):
        row = order.row(order_id=f"o{n}", user_id=r.choice(ids), status=r.choice(["open", "sent", "paid"]), total=money(r))
        d.item(PK=f"USER#{row['user_id']}", SK=f"ORDER#o{n}", Type="Order", GSI1PK=f"STATUS#{row['status']}", GSI1SK=f"ORDER#o{n}", status=row["status"], total=row["total"])
    for n in serials(r, 60):
        row = invoice.row(invoice_id=f"i{n}", user_id=r.choice(ids), amount=money(r), due_on=day(r))
        d.item(PK=f"INVOICE#i{n}", SK="INVOICE", Type="Invoice", GSI1PK=f"USER#{row['user_id']}", GSI1SK=f"INVOICE#i{n}", amount=row["amount"], dueOn=row["due_on"])


@design
def tree(d, r):
    """Employees report to employees; the root reports to nobody."""
    d.conventions(key=("pk", "sk"))
    unit = d.table("unit", "unit_id", unit_id="text", title="text")
    employee = d.table("employee", "employee_id", {"unit_id": "unit", "manager_id": "employee"}, employee_id="text", unit_id="text", manager_id="text", name="text", hired_on="date")
    units = [f"d{n}" for n in serials(r, 6)]
    for u in units:
        row = unit.row(unit_id=u, title=words(r))
        d.item(pk=f"UNIT#{u}", sk=f"UNIT#{u}", title=row["title"])
    above = []
    for n in serials(r, 80):
        row = employee.row(employee_id=f"e{n}", unit_id=r.choice(units), manager_id=r.choice(above) if above else None, name=person(r), hired_on=day(r))
        above.append(row["employee_id"])
        d.item(pk=f"UNIT#{row['unit_id']}", sk=f"EMP#e{n}", managerId=row["manager_id"] or ..., name=row["name"], hiredOn=row["hired_on"])


@design
def link_table(d, r):
    """Students and courses, the link only in the keys and with a grade; a reference to a course that is gone."""
    d.conventions(key=("PK", "SK"), separator="|")
    student = d.table("student", "student_id", student_id="text", name="text", born_on="date")
    course = d.table("course", "course_id", course_id="text", title="text", points="integer")
    enrolment = d.table("enrolment", ("student_id", "course_id"), {"student_id": "student", "course_id": "course"}, kind="link", student_id="text", course_id="text", grade="text", passed="boolean")
    students, courses = [f"s{n}" for n in serials(r, 50)], [f"k{n}" for n in serials(r, 15)]
    for s in students:
        row = student.row(student_id=s, name=person(r), born_on=day(r))
        d.item(PK=f"stu|{s}", SK=f"stu|{s}", name=row["name"], bornOn=row["born_on"])
    for c in courses:
        row = course.row(course_id=c, title=words(r), points=r.randrange(5, 30, 5))
        d.item(PK=f"crs|{c}", SK=f"crs|{c}", title=row["title"], points=row["points"])
    for s, c in sorted({(r.choice(students), r.choice(courses)) for _ in range(200)}):
        row = enrolment.row(student_id=s, course_id=c, grade=r.choice("ABCDE") if r.random() < 0.8 else None, passed=r.random() < 0.9)
        d.item(PK=f"stu|{s}", SK=f"crs|{c}", grade=row["grade"] or ..., passed=row["passed"])


@design
def versions(d, r):
    """A document and its earlier versions under v0, v1, ...; padded numbers in the sort key."""
    d.conventions(key=("docId", "version"))
    document = d.table("document", ("doc_id", "version"), doc_id="text", version="text ~integer ~bigint", title="text", author="text", saved_at="timestamptz", latest="integer")
    for n in serials(r, 30):
        last = r.randrange(1, 7)
        for v in range(last + 1):
            row = document.row(doc_id=f"doc-{n}", version=f"v{v:04d}", title=words(r, 3), author=person(r), saved_at=moment(r), latest=last if v == 0 else None)
            d.item(docId=row["doc_id"], version=row["version"], title=row["title"], author=row["author"], savedAt=row["saved_at"], latest=row["latest"] if v == 0 else ...)
