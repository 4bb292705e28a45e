"""Reads the Parquet parts of a snapshot's latest manifest with one reader and compares every cell with the database.

Usage: read_parquet.py READER FOLDER EXPECTED, where EXPECTED is a folder of files TABLE.jsonl with the cells as text.
Numbers are compared as decimals, floats as floats, times as microseconds since 1970, and everything else as text.
"""

import json
import math
import os
import sys
import time
from decimal import Decimal

os.environ["TZ"] = "UTC"
time.tzset()

reader, folder, expected_folder = sys.argv[1:4]


def kind_of(column, text_columns):
    """The way in which a column is compared, from PostgreSQL's type in the manifest."""
    name, pg = column["name"], column["type"]
    if name in text_columns:
        return "text"
    if pg.endswith("[]"):
        return "list"
    if pg.startswith("numeric"):
        return "decimal"
    if pg.startswith("timestamp"):
        return "micros"
    return {"real": "float", "double precision": "float", "boolean": "bool", "date": "date"}.get(
        pg, "int" if pg in ("smallint", "integer", "bigint") else "text"
    )


def normal(kind, value):
    """A comparable value of a reader's value or of the database's text."""
    if value is None:
        return None
    if kind == "list":
        return value if isinstance(value, list) else json.loads(value)
    if kind == "decimal":
        return Decimal(value)
    if kind in ("micros", "int"):
        return int(value)
    if kind == "float":
        number = float(value)
        return "NaN" if math.isnan(number) else number
    return str(value).lower() if kind == "bool" else str(value)


def quoted(name):
    return '"' + name + '"'


def read_duckdb(paths, columns, kinds):
    import duckdb

    select = ", ".join(
        f"epoch_us({quoted(c)}) as {quoted(c)}" if kinds[c] == "micros" else quoted(c) for c in columns
    )
    connection = duckdb.connect()
    types = {row[0]: row[1] for row in connection.execute("describe select * from read_parquet(?)", [paths]).fetchall()}
    return connection.execute(f"select {select} from read_parquet(?)", [paths]).fetchall(), types


def read_pyarrow(paths, columns, kinds):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.concat_tables([pq.read_table(path) for path in paths])
    types = {field.name: str(field.type) for field in table.schema}
    cells = [
        (table[c].cast(pa.int64()) if kinds[c] == "micros" else table[c]).to_pylist() for c in columns
    ]
    return list(zip(*cells)), types


def read_pyspark(paths, columns, kinds):
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    frame = spark.read.parquet(*paths)
    select = []
    for c in columns:
        name = "`" + c + "`"
        if kinds[c] == "micros":
            select.append(f"unix_micros(cast({name} as timestamp)) as {name}")
        elif kinds[c] in ("list", "float", "bool"):
            select.append(name)
        else:
            select.append(f"cast({name} as string) as {name}")
    rows = [
        tuple(list(cell) if kinds[c] == "list" and cell is not None else cell for c, cell in zip(columns, row))
        for row in frame.selectExpr(*select).collect()
    ]
    return rows, dict(frame.dtypes)


READERS = {"duckdb": read_duckdb, "pyarrow": read_pyarrow, "pyspark": read_pyspark}


def main():
    with open(os.path.join(folder, "latest.json")) as file:
        latest = json.load(file)
    with open(os.path.join(folder, latest["manifest"])) as file:
        manifest = json.load(file)
    cells = differences = 0
    for table in manifest["tables"]:
        columns = [column["name"] for column in table["columns"]]
        kinds = {c["name"]: kind_of(c, table["parquet"]["text_columns"]) for c in table["columns"]}
        paths = [os.path.join(folder, part["key"]) for part in table["parquet"]["parts"]]
        rows, types = READERS[reader](paths, columns, kinds)
        if table["name"] == "typed":
            print(reader, json.dumps(types))
        with open(os.path.join(expected_folder, table["name"] + ".jsonl")) as file:
            expected = [json.loads(line) for line in file]
        as_key = lambda row: json.dumps([str(cell) for cell in row])
        found = sorted(([normal(kinds[c], cell) for c, cell in zip(columns, row)] for row in rows), key=as_key)
        wanted = sorted(([normal(kinds[c], cell) for c, cell in zip(columns, row)] for row in expected), key=as_key)
        if len(found) != len(wanted):
            print(f"{table['name']}: {len(found)} rows, not {len(wanted)}")
            differences += 1
        for read, stored in zip(found, wanted):
            for name, one, other in zip(columns, read, stored):
                cells += 1
                if one != other:
                    differences += 1
                    if differences < 20:
                        print(f"{table['name']}.{name}: read {one!r}, stored {other!r}")
    print(f"{reader}: {len(manifest['tables'])} tables, {cells} cells, {differences} differences")
    return 1 if differences else 0


sys.exit(main())
