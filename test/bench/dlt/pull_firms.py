"""All firms by dlt into PostgreSQL: `stock` is dlt's REST source as documented; `tuned` requests eight key ranges at once and loads Parquet
files by ADBC. Both merge by CRD number, as talhouse does."""

import json
import os
import sys

import dlt
from dlt.sources.helpers import requests
from dlt.sources.rest_api import rest_api_source

BASE_URL = os.environ["BENCH_BASE_URL"]
API_KEY = os.environ["BENCH_API_KEY"]
QUERY = {
    "select": json.loads(os.environ["BENCH_FIRM_FIELDS"]),
    "order": "sec_number.desc",
    "limit": 50,  # the most that the interface gives
}


def stock():
    return rest_api_source(
        {
            "client": {
                "base_url": BASE_URL,
                "auth": {"type": "api_key", "name": "x-api-key", "api_key": API_KEY, "location": "header"},
            },
            "resource_defaults": {"write_disposition": "merge"},
            "resources": [
                {
                    "name": "firm",
                    "primary_key": "crd_number",
                    "endpoint": {
                        "path": "firms",
                        "method": "POST",
                        "json": QUERY,
                        "data_selector": "data",
                        "paginator": {"type": "cursor", "cursor_path": "next_cursor", "cursor_body_path": "cursor"},
                    },
                }
            ],
        }
    )


@dlt.source
def tuned(ranges):
    def pages(below, floor):
        session = requests.Session()
        session.headers["x-api-key"] = API_KEY
        while True:
            query = {**QUERY, "filters": {"sec_number": f"lt.{below}"}} if below else QUERY
            data = session.post(f"{BASE_URL}/firms", json=query).json()["data"]
            inside = [firm for firm in data if floor is None or firm["sec_number"] >= floor]
            if inside:
                yield inside
            if len(inside) < QUERY["limit"]:
                return
            below = inside[-1]["sec_number"]

    for number, (below, floor) in enumerate(ranges):
        yield dlt.resource(
            pages(below, floor),
            name=f"range_{number}",
            table_name="firm",
            primary_key="crd_number",
            write_disposition="merge",
            parallelized=True,
        )


pipeline = dlt.pipeline(
    pipeline_name="bench",
    pipelines_dir=os.environ["BENCH_FOLDER"],
    destination=dlt.destinations.postgres(os.environ["BENCH_WAREHOUSE_URL"]),
    dataset_name="dlt_bench",
)
if sys.argv[1] == "stock":
    pipeline.run(stock())
else:
    pipeline.run(tuned(json.loads(os.environ["BENCH_RANGES"])), loader_file_format="parquet")
print(dlt.__version__)
