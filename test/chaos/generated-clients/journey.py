"""A generated Python client imports a list, matches, enriches, waits, reads and exports. Prints the result as JSON.

journey.py URL API_KEY NAME DOMAIN OTHER_DOMAIN: a company on the roster with its domain, and the domain of another one.
"""

import json
import sys
import time
from io import BytesIO
from typing import TypeVar

from talhouse_client import AuthenticatedClient, models
from talhouse_client.api.companies import get_company, match_companies
from talhouse_client.api.target_account_lists import enrich_tal, export_tal, import_tal
from talhouse_client.api.tasks import get_task
from talhouse_client.types import File

Model = TypeVar("Model")


def of(model: type[Model], reply: object) -> Model:
    if not isinstance(reply, model):
        raise SystemExit(f"expected {model.__name__}, received {reply!r}")
    return reply


url, key, name, domain, other = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name="X-Api-Key")

csv = f"Company,Website,Owner\n{name},,José\n,https://{other}/about,Li\n".encode()
imported = of(models.TalImport, import_tal.sync("me", client=client, body=File(payload=BytesIO(csv)), source="crm"))

wanted = models.CompanyMatchRequest(companies=[models.CompanyToMatch(name=name)])
matches = of(models.CompanyMatches, match_companies.sync(client=client, body=wanted)).matches

order = models.TalEnrichRequest(force=True)
submission = of(models.TalSubmission, enrich_tal.sync("me", client=client, body=order, idempotency_key="python"))
while True:
    task = of(models.Task, get_task.sync(str(submission.task_id), client=client))
    if task.completed_at is not None:
        break
    time.sleep(0.5)

company = of(models.Company, get_company.sync(domain, client=client))
exported = export_tal.sync_detailed("me", client=client, fields="name,legal_name")

print(
    json.dumps(
        {
            "models": sorted(models.__all__),
            "added": imported.added,
            "match": matches[0].candidates[0].domain,
            "status": task.status.value,
            "progress": task.progress,
            "units_charged": task.units_charged,
            "name": company.name,
            "csv": exported.content.decode("utf-8-sig"),
        }
    )
)
