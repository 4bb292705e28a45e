/**
 * A generated TypeScript client imports a list, matches, enriches, waits, reads and exports. Prints the result as JSON.
 *
 * journey.mts URL API_KEY NAME DOMAIN OTHER_DOMAIN: a company on the roster with its domain, and the domain of another one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
// biome-ignore lint/correctness/noUndeclaredDependencies: installed with the generator
import createClient from 'openapi-fetch'
import type { Company, CompanyMatch, paths, TalImport, TalSubmission, Task } from './schema.d.ts'

const [url, key, name, domain, other] = process.argv.slice(2) as [string, string, string, string, string]
const client = createClient<paths>({ baseUrl: url, headers: { 'X-Api-Key': key } })
const me = { client_id: 'me' }

/** The body of a success response. */
function of<Body>({ data, error }: { data?: Body; error?: unknown }): Body {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const csv = `Company,Website,Owner\n${name},,José\n,https://${other}/about,Li\n`
const imported: TalImport = of(
  await client.POST('/v2/clients/{client_id}/tal/import', {
    params: { path: me, query: { source: 'crm' } },
    body: csv,
    bodySerializer: (text) => text,
    headers: { 'Content-Type': 'text/csv' },
  }),
)

const matches: CompanyMatch[] = of(
  await client.POST('/v2/match/companies', { body: { companies: [{ name }] } }),
).matches

const submission: TalSubmission = of(
  await client.POST('/v2/clients/{client_id}/tal/enrich', {
    params: { path: me, header: { 'idempotency-key': 'typescript' } },
    body: { force: true },
  }),
)
let task: Task
do {
  await sleep(500)
  task = of(await client.GET('/v2/tasks/{task_id}', { params: { path: { task_id: submission.task_id as string } } }))
} while (task.completed_at === null)

const company: Company = of(await client.GET('/v2/companies/{domain}', { params: { path: { domain } } }))
const exported = of(
  await client.GET('/v2/clients/{client_id}/tal/export', {
    params: { path: me, query: { fields: 'name,legal_name' } },
    parseAs: 'text',
  }),
)

console.log(
  JSON.stringify({
    added: imported.added,
    match: matches[0]?.candidates[0]?.domain,
    status: task.status,
    progress: task.progress,
    units_charged: task.units_charged,
    name: company.name,
    csv: exported.replace('\ufeff', ''),
  }),
)
