"""Pulls by a Singer tap and target into PostgreSQL, `pull.py firms|members`: a tap of Meltano's Singer SDK as its documentation describes
one, piped into MeltanoLabs' target-postgres with its defaults. The target merges by key, as talhouse does."""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from singer_sdk import Tap
from singer_sdk import typing as th
from singer_sdk.authenticators import APIKeyAuthenticator
from singer_sdk.pagination import BaseOffsetPaginator, JSONPathPaginator, SinglePagePaginator
from singer_sdk.streams import RESTStream

FIRM_SCHEMA = json.loads(os.environ["BENCH_FIRM_SCHEMA"])
LIST_PAGE = 1000


def fields(kind, names):
    return [th.Property(name, kind) for name in names.split()]


COMPANY = [
    *fields(
        th.StringType,
        "domain name legal_name description industry naics_code naics_title employee_range headquarters_street "
        "headquarters_city headquarters_state headquarters_postal_code headquarters_country phone social_url logo_url "
        "enrichment_status status_reason",
    ),
    *fields(
        th.DateTimeType,
        "enriched_at leadership_enriched_at signals_enriched_at retry_at history_at updated_at",
    ),
    *fields(th.IntegerType, "employee_count founded_year"),
    *fields(th.BooleanType, "in_formadv"),
]


class Stream(RESTStream):
    url_base = os.environ["BENCH_BASE_URL"]

    @property
    def authenticator(self):
        return APIKeyAuthenticator(key="x-api-key", value=os.environ["BENCH_API_KEY"], location="header")


class Firms(Stream):
    name = "firm"
    path = "/firms"
    http_method = "POST"
    primary_keys = ("crd_number",)
    schema = FIRM_SCHEMA
    records_jsonpath = "$.data[*]"

    def get_new_paginator(self):
        return JSONPathPaginator("$.next_cursor")

    def prepare_request_payload(self, context, next_page_token):
        # 50 is the most that the interface gives.
        query = {"select": list(FIRM_SCHEMA["properties"]), "order": "sec_number.desc", "limit": 50}
        return {**query, "cursor": next_page_token} if next_page_token else query


class MemberPages(BaseOffsetPaginator):
    def has_more(self, response):
        return self.current_value + LIST_PAGE < response.json()["total"]


class Members(Stream):
    name = "tal_member"
    path = "/v2/clients/me/tal/companies"
    primary_keys = ("domain",)
    schema = th.PropertiesList(
        *COMPANY,
        *fields(th.StringType, "source"),
        *fields(th.DateTimeType, "added_at"),
        th.Property("attributes", th.ObjectType(additional_properties=True)),
    ).to_dict()
    records_jsonpath = "$.companies[*]"

    def get_new_paginator(self):
        return MemberPages(0, LIST_PAGE)

    def get_url_params(self, context, next_page_token):
        return {"limit": LIST_PAGE, "offset": next_page_token or 0}

    def get_child_context(self, record, context):
        return {"domain": record["domain"]}


class OfMember(Stream):
    parent_stream_type = Members
    # The progress of each of a thousand parents would be written to the state.
    state_partitioning_keys = ()

    def get_new_paginator(self):
        return SinglePagePaginator()


class Companies(OfMember):
    name = "company"
    path = "/v2/companies/{domain}"
    primary_keys = ("domain",)
    schema = th.PropertiesList(
        *COMPANY,
        th.Property("leadership", th.ArrayType(th.ObjectType(additional_properties=True))),
        th.Property("signals", th.ArrayType(th.ObjectType(additional_properties=True))),
    ).to_dict()
    records_jsonpath = "$"

    def get_url_params(self, context, next_page_token):
        return {"include": "leadership,signals"}


class Persons(OfMember):
    name = "person"
    path = "/v2/companies/{domain}/persons"
    primary_keys = ("person_id",)
    schema = th.PropertiesList(
        *fields(
            th.StringType,
            "person_id email_hash email full_name title seniority company_domain company_name first_name last_name department "
            "social_url enrichment_status",
        ),
        *fields(th.BooleanType, "in_formadv"),
        *fields(th.DateTimeType, "enriched_at"),
        th.Property("contact", th.ObjectType(additional_properties=True)),
    ).to_dict()
    records_jsonpath = "$.persons[*]"

    def get_url_params(self, context, next_page_token):
        return {"include": "contact", "limit": 200}


class BenchTap(Tap):
    name = "tap-bench"
    config_jsonschema = {"properties": {}}

    def discover_streams(self):
        streams = {"firms": [Firms], "members": [Members, Companies, Persons]}
        return [stream(self) for stream in streams[sys.argv[1]]]


if __name__ == "__main__":
    folder = Path(os.environ["BENCH_FOLDER"])
    folder.mkdir(exist_ok=True)
    url = urlsplit(os.environ["BENCH_WAREHOUSE_URL"])
    settings = {
        "host": url.hostname,
        "port": url.port,
        "user": url.username,
        "password": url.password,
        "database": url.path[1:],
        "default_target_schema": "singer_bench",
    }
    config = folder / "target.json"
    config.write_text(json.dumps(settings))
    target = subprocess.Popen(
        [Path(sys.executable).with_name("target-postgres"), "--config", config],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TARGET_POSTGRES_LOGLEVEL": "ERROR"},
    )
    # The tap writes its messages to standard output.
    os.dup2(target.stdin.fileno(), 1)
    target.stdin.close()
    BenchTap(config={}).sync_all()
    sys.stdout.flush()
    os.close(1)
    os._exit(target.wait())
