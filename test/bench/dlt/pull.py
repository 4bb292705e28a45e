"""All firms, and all members with their records and people, by dlt's REST source into PostgreSQL.

Everything is dlt's own and declarative. Settings that differ from its defaults, each to its advantage here: `parallelized` resources,
eight extract workers (as many requests at once as talhouse's eight), CSV files loaded by COPY, and telemetry off.
"""

import json
import os

import dlt
from dlt.sources.rest_api import rest_api_source

FIRM_PAGE = 50  # the most that the interface gives
LIST_PAGE = 1000

source = rest_api_source(
    {
        "client": {
            "base_url": os.environ["BENCH_BASE_URL"],
            "auth": {
                "type": "api_key",
                "name": "x-api-key",
                "api_key": os.environ["BENCH_API_KEY"],
                "location": "header",
            },
        },
        "resource_defaults": {"write_disposition": "merge", "parallelized": True},
        "resources": [
            {
                "name": "firm",
                "primary_key": "crd_number",
                "endpoint": {
                    "path": "firms",
                    "method": "POST",
                    "json": {
                        "select": json.loads(os.environ["BENCH_FIRM_FIELDS"]),
                        "order": "sec_number.desc",
                        "limit": FIRM_PAGE,
                    },
                    "data_selector": "data",
                    "paginator": {"type": "cursor", "cursor_path": "next_cursor", "cursor_body_path": "cursor"},
                },
            },
            {
                "name": "tal_member",
                "primary_key": "domain",
                "endpoint": {
                    "path": "v2/clients/me/tal/companies",
                    "data_selector": "companies",
                    "paginator": {"type": "offset", "limit": LIST_PAGE, "total_path": "total"},
                },
            },
            {
                "name": "company",
                "primary_key": "domain",
                "endpoint": {
                    "path": "v2/companies/{resources.tal_member.domain}",
                    "params": {"include": "leadership,signals"},
                    "paginator": "single_page",
                },
            },
            {
                "name": "person",
                "primary_key": ["company_domain", "email_hash"],
                "endpoint": {
                    "path": "v2/companies/{resources.tal_member.domain}/persons",
                    "params": {"include": "contact", "limit": 200},
                    "data_selector": "persons",
                    "paginator": "single_page",
                },
            },
        ],
    }
)

pipeline = dlt.pipeline(
    pipeline_name="bench",
    pipelines_dir=os.environ["BENCH_FOLDER"],
    destination=dlt.destinations.postgres(os.environ["BENCH_WAREHOUSE_URL"]),
    dataset_name="dlt_bench",
)
pipeline.run(source, loader_file_format="csv")
print(dlt.__version__)
