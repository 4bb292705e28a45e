import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SampleCompany } from '../../../src/demo/companies.ts'
import { startDemoWeb } from '../../../src/demo/start-demo-web.ts'
import { importSampleIfEmpty } from '../../../src/form-adv/import-sample.ts'
import { reconcileUnits } from '../../../src/units/reconcile.ts'
import type { CommandLine } from '../../helpers/command-line.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import { startDemoWorker } from '../../helpers/demo-worker.ts'
import { eventually } from '../../helpers/eventually.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

const ROWS = 150
const COMPANIES = 24
/** Timeout for matching names, fetching pages and starting processes three times. */
const LONG = 300_000

let stack: AsyncDisposableStack
let folder: string
let service: TestService
let talhouse: CommandLine
let companies: SampleCompany[]
let others: SampleCompany[]
/** Companies whose domain is listed by exactly one firm on the roster. */
let advisers: SampleCompany[]
let startWorker: () => void
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  folder = await mkdtemp(join(tmpdir(), 'talhouse-sheets-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  service = stack.use(await startService({ plan: { units_per_period: 10_000 } }))
  await importSampleIfEmpty(service.postgres, folder, { firms: 30, maxBytes: 2 ** 26, maxGoneShare: 0.1 })
  const web = stack.use(await startDemoWeb({ companies: COMPANIES + 3 }))
  companies = web.companies.slice(0, COMPANIES)
  others = web.companies.slice(COMPANIES)
  const { rows: firms } = await sql<{ domain: string }>`
    select website_domain as domain from firm group by 1 having count(*) = 1`.execute(service.db)
  advisers = companies.filter(({ domain }) => firms.some((firm) => firm.domain === domain))
  let isStarted = false
  startWorker = () => {
    if (!isStarted) stack.use(startDemoWorker(service, web))
    isStarted = true
  }
  talhouse = stack.use(await openCommandLine(service))
})
afterAll(() => stack.disposeAsync())

const HEADING = ['Id', 'Company', 'Website', 'Owner', 'Note']
const UNKNOWN = ['株式会社ミライ工業', 'ООО Ромашка', 'شركة النور', 'Überflüssig Maschinenbau GmbH', 'Qwrtz Holdings']

/** Generates input rows of all kinds, such as rows with only a name or only a domain. */
function makeRows(): { kind: string; cells: string[] }[] {
  const at = <Item>(list: readonly Item[], index: number) => list[index % list.length] as Item
  const kinds: ((index: number) => [string, string, string])[] = [
    (index) => ['name', at(advisers, index).name, ''],
    (index) => ['domain', '', `https://www.${at(companies, index).domain}/about`],
    (index) => ['both', at(companies, index).legal_name, at(companies, index).domain.toUpperCase()],
    (index) => ['unknown', `${at(UNKNOWN, index)} ${index}`, ''],
    () => ['blank', '', ''],
    (index) => ['domain', `Name with "quotes", and ${index}`, at(companies, index).domain],
  ]
  return Array.from({ length: ROWS }, (_, index) => {
    const [kind, name, website] = at(kinds, index)(Math.floor(index / kinds.length))
    const isBlank = kind === 'blank'
    const owner = isBlank ? '' : at(['Jane', 'José', '李伟', '=HYPERLINK("https://x.example")'], index)
    return {
      kind,
      cells: [isBlank ? '' : String(index), name, website, owner, isBlank ? '' : `line one\nline two, "${index}"`],
    }
  })
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const csvOf = (rows: readonly string[][]) =>
  `\uFEFF${rows.map((cells) => cells.map(quoted).join(',')).join('\r\n')}\r\n`
const read = async (file: string): Promise<Record<string, string>[]> =>
  parse(await readFile(file), { columns: true, bom: true })

describe('talhouse enrich FILE', () => {
  it('talhouse enrich FILE accounts for each of 150 rows and charges once, even if it is killed twice', {
    timeout: LONG,
  }, async () => {
    const rows = makeRows()
    const input = join(folder, 'accounts.csv')
    const out = join(folder, 'enriched.csv')
    await writeFile(input, csvOf([HEADING, ...rows.map(({ cells }) => cells)]))
    const command = ['enrich', input, '--out', out, '--leadership', '--signals', '--yes']
    const submitted = async () => {
      const { rows } = await sql<{ tasks: number }>`select count(*)::integer as tasks from task`.execute(service.db)
      return rows[0]?.tasks ?? 0
    }
    // Tasks end only after a worker has started, so both kills happen before the end.
    for (const tasks of [5, COMPANIES]) {
      const { child, ended } = talhouse.start(...command)
      await eventually('tasks are submitted', async () => (await submitted()) >= tasks)
      child.kill('SIGKILL')
      expect((await ended).code).toBe(null)
    }
    startWorker()
    const { code, out: said, err } = await talhouse.run(...command)
    expect(err).toContain(`Resuming: `)
    expect(code).toBe(4)
    const enriched = await read(out)
    const unmatched = await read(join(folder, 'enriched.unmatched.csv'))
    expect(said).toContain(`${enriched.length} rows in ${out}, ${unmatched.length} in`)
    // Each input row is in exactly one of the two files, and both files keep the input's order.
    const places = new Map(rows.map(({ cells }, index) => [cells[0], index + 2]))
    const used = enriched.map(({ Id }) => places.get(Id as string) as number)
    const left = unmatched.map(({ row }) => Number(row))
    expect([...used, ...left].toSorted((one, other) => one - other)).toEqual(rows.map((_, index) => index + 2))
    expect(used).toEqual(used.toSorted((one, other) => one - other))
    const kindsOf = (places: number[]) => new Set(places.map((place) => rows[place - 2]?.kind))
    // Some invented advisers have nearly the same name, so a few names are ambiguous.
    expect(kindsOf(used)).toEqual(new Set(['name', 'domain', 'both']))
    expect(kindsOf(left)).not.toContain('domain')
    expect(kindsOf(left)).not.toContain('both')
    const named = rows.filter(({ kind }) => kind === 'name').length
    expect(used.filter((place) => rows[place - 2]?.kind === 'name').length).toBeGreaterThan(0.8 * named)
    expect(unmatched.every(({ reason }) => reason !== '')).toBe(true)
    for (const row of enriched) {
      const { cells } = rows[Number(row['Id'])] as { cells: string[] }
      expect([row['Company'], row['Website'], row['Note']]).toEqual([cells[1], cells[2], cells[4]])
      // A spreadsheet would evaluate the formula.
      expect(row['Owner']).toBe(cells[3]?.startsWith('=') ? `'${cells[3]}` : cells[3])
    }
    const complete = enriched.filter(({ enrichment_status }) => enrichment_status === 'complete')
    expect(complete.length).toBeGreaterThan(enriched.length / 2)
    const known = complete.find(({ domain }) => domain === companies[0]?.domain)
    expect(known?.['leader_1_full_name']).not.toBe('')

    const { rows: charges } = await sql<{ domain: string; charges: number }>`
      select domain, count(*)::integer as charges from task_item join task using (client_id, task_id)
      where units_charged > 0 group by domain`.execute(service.db)
    expect(charges).toHaveLength(COMPANIES)
    expect(charges.every(({ charges }) => charges === 1)).toBe(true)
    const { rows: ledger } = await sql<{ units: number }>`
      select -sum(units)::integer as units from ledger_entry where kind = 'charge'`.execute(service.db)
    expect(ledger[0]?.units).toBe(9 * COMPANIES)
    expect((await reconcileUnits(service.db)).discrepancies).toEqual([])
    expect(said).toContain(`${9 * COMPANIES} units charged`)
  })

  it('talhouse enrich FILE stops at --max-units and lists the rows that were not enriched', {
    timeout: LONG,
  }, async () => {
    startWorker()
    const input = join(folder, 'few.csv')
    const out = join(folder, 'few-enriched.csv')
    await writeFile(input, `domain\n${others.map(({ domain }) => domain).join('\n')}\n`)
    const { code, out: said } = await talhouse.run('enrich', input, '--out', out, '--max-units', '2', '--yes')
    expect({ code, said }).toEqual({ code: 4, said: expect.stringContaining('1 company not enriched') })
    const rows = await read(out)
    expect(rows.filter(({ note }) => note === 'not enriched: no units')).toHaveLength(1)
    expect((await talhouse.run('enrich', input, '--out', out, '--yes')).err).toContain('exists. Choose another --out')
  })

  it('talhouse enrich FILE asks for confirmation before it spends units', async () => {
    const input = join(folder, 'ask.csv')
    await writeFile(input, 'domain\nasked.example\n')
    const { code, err } = await talhouse.run('enrich', input, '--out', join(folder, 'asked.csv'))
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Add --yes') })
  })
})
