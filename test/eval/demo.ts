/**
 * `npm run eval -- demo [companies] [--seed N]`: enriches the demo web through the API (40 companies by default) and
 * counts every planted fact as found, wrong or missing. Facts that the service is not allowed to read are listed with
 * the reason from the API. `--differences` lists every miss. Takes half a minute for 40 companies, and two minutes for
 * 200.
 */
import { parseArgs } from 'node:util'
import type { Company, Leader, Signal } from '../../src/contract/companies.ts'
import type { PlantedFacts } from '../../src/demo/answer-key.ts'
import type { SampleCompany } from '../../src/demo/companies.ts'
import { startDemoWeb } from '../../src/demo/start-demo-web.ts'
import { openChaosDatabase } from '../chaos/chaos-database.ts'
import type { EnrichingService } from '../helpers/enriching-service.ts'
import { demoSettings, startEnriching } from '../helpers/enriching-service.ts'
import type { FoundFacts } from './compare-with-key.ts'
import { compareWithKey, newCount } from './compare-with-key.ts'
import { printTable } from './print-table.ts'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, differences: { type: 'boolean' } },
  allowPositionals: true,
})
const companies = Number(positionals[0] ?? 40)
const started = performance.now()
await using database = await openChaosDatabase()
await using web = await startDemoWeb({ companies, seed: Number(values.seed), today: new Date('2026-03-01T00:00:00Z') })
await using service = await startEnriching({
  service: database.service,
  settings: { ...demoSettings(web), TALHOUSE_WORK_CONCURRENCY: '16' },
})
const tasks = await service.enrich(web.companies.map(({ domain }) => domain))

const count = newCount()
const withheld: Withheld[] = []
const outcomes = new Map<string, number>()
for (const [place, planted] of web.answerKey.entries()) {
  const found = await foundBy(service, planted.domain)
  compareWithKey(planted, found, count)
  const missing = withheldBy(web.companies[place] as SampleCompany, planted)
  if (missing > 0) withheld.push({ ...planted, missing, reason: found.reason })
  const task = `${await outcomeOf(planted.domain)}, planted as ${planted.status}`
  outcomes.set(task, (outcomes.get(task) ?? 0) + 1)
}

console.log(
  `${companies} companies enriched in ${((performance.now() - started) / 1000).toFixed(0)} s, by their own sites alone`,
)
for (const [outcome, number] of outcomes) console.log(`  ${String(number).padStart(4)} tasks ${outcome}`)
printTable('Company fields', count.fields)
printTable('People: name and title, by layout of the team page', count.people)
printTable('People: addresses and profiles that the page prints', [
  ['e-mail address', count.emails],
  ['profile', count.profiles],
])
printTable('Signals, by type', count.signals)
printTable('All facts, by markup', count.markups)
printTable('All facts, by quirk', count.quirks)

console.log('\nNot to be had, by design: facts that a site does not let us read, and what the API says of it')
for (const [quirk, sites] of Map.groupBy(withheld, (one) => one.quirk)) {
  const facts = sites.reduce((sum, { missing }) => sum + missing, 0)
  console.log(`  ${quirk}: ${sites.length} sites, ${facts} facts, such as ${sites[0]?.domain}: ${sites[0]?.reason}`)
}
console.log(`\n${count.wrongStatus.length} sites with another status than planted`)
for (const { domain, planted, answered, reason } of count.wrongStatus)
  console.log(`  ${domain}: planted ${planted}, answered ${answered} (${reason})`)
if (values.differences) console.log(count.differences.map((line) => `  ${line}`).join('\n'))

interface Withheld extends PlantedFacts {
  missing: number
  reason: string | null
}

/** Number of facts that the service cannot find because the company's site disallows crawlers. */
function withheldBy({ people, stories }: SampleCompany, planted: PlantedFacts): number {
  if (planted.status === 'found') return people.length - planted.people.length
  const FIELDS = 12
  return FIELDS + people.length + stories.length
}

async function outcomeOf(domain: string): Promise<string> {
  const { output_data } = await service.call<{ output_data: { companies: { outcome: string }[] } }>(
    'GET',
    `/v2/tasks/${tasks.get(domain)}/result`,
  )
  return output_data.companies[0]?.outcome ?? 'without an outcome'
}

/** Returns the findings about a company from the API. */
async function foundBy(api: EnrichingService, domain: string): Promise<FoundFacts> {
  const company = await api.call<Company & { leadership: Leader[]; signals: Signal[] }>(
    'GET',
    `/v2/companies/${domain}?include=all&include_provenance=true`,
  )
  const { provenance = {}, leadership: people, signals, status_reason: reason } = company
  const fields = Object.keys(provenance).map((field) => [field, company[field as keyof Company]] as const)
  return { status: statusOf(company), reason, people, signals, fields: new Map(fields as [string, string | number][]) }
}

/** Converts the enrichment status to the answer key's terms. */
function statusOf({ enrichment_status, status_reason }: Company): PlantedFacts['status'] | 'not found' {
  if (enrichment_status === 'complete' || enrichment_status === 'partial') return 'found'
  if (enrichment_status === 'failed') return 'unavailable'
  return status_reason && /robots\.txt|certificate/.test(status_reason) ? 'refused' : 'not found'
}
