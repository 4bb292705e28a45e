import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFirmFile } from '../../../src/form-adv/import-file.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { readRosterIndependently } from '../../helpers/read-roster-independently.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { SHARED_ROSTERS } from '../../helpers/shared-data.ts'

const ROSTERS = [
  { name: 'ia070122', as_of: '2022-06-30' },
  { name: 'ia100322', as_of: '2022-10-01' },
]
const published = ({ name }: { name: string }): string => join(SHARED_ROSTERS, `${name}.zip`)
const PAGE = join(import.meta.dirname, '../../../docs/questions.md')

interface Filed {
  crd: number
  name: string
  state: string | null
  usd: number
}

type Row = Record<string, string>

/**
 * Reads every second firm in a published roster, which leaves enough firms in each state and halves the import time.
 */
const sampleOf = (roster: { name: string }): Row[] =>
  readRosterIndependently(published(roster)).filter((row) => Number(row['Organization CRD#']) % 2 === 0)

const filedIn = (rows: readonly Row[]): Filed[] =>
  rows.map((row) => ({
    crd: Number(row['Organization CRD#']),
    name: row['Legal Name'] ?? '',
    state: row['Main Office State'] || null,
    usd: Number((row['5F(2)(c)'] ?? '').replaceAll(',', '')),
  }))

// The rosters are public files that are too large for the repository.
describe.skipIf(!ROSTERS.every((roster) => existsSync(published(roster))))(
  'questions about the real rosters of 2022',
  () => {
    let service: TestService
    let bench: Bench
    const filed = new Map<string, Filed[]>()

    beforeAll(async () => {
      service = await startService({ plan: { reads_per_minute: 1_000_000 } })
      bench = await pipelineBench(service)
      const folder = await mkdtemp(join(tmpdir(), 'talhouse-questions-'))
      for (const roster of ROSTERS) {
        const rows = sampleOf(roster)
        filed.set(roster.as_of, filedIn(rows))
        const file = join(folder, `${roster.name}.csv`)
        await writeFile(file, stringify(rows, { header: true }))
        await importFirmFile(service.postgres, file, { maxBytes: 2 ** 32, maxGoneShare: 0.1, asOf: roster.as_of })
        expect(await bench.run()).toMatchObject({ outcome: 'ok' })
      }
      await rm(folder, { recursive: true })
    }, 300_000)
    afterAll(async () => {
      await bench[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    })

    const ask = async (question: number): Promise<Record<string, unknown>[]> => {
      const text = new RegExp(`## ${question}\\. .*\\n\\n\`\`\`sql\\n([\\s\\S]*?)\`\`\``).exec(
        await readFile(PAGE, 'utf8'),
      )?.[1]
      return (await sql.raw<Record<string, unknown>>(text as string).execute(bench.warehouse.db)).rows
    }

    it('the documented questions return the assets by state of each roster of 2022', async () => {
      const expected = [...filed].flatMap(([as_of, firms]) =>
        [...Map.groupBy(firms, ({ state }) => state)].map(([state, of]) => [
          as_of,
          state,
          of.length,
          (of.reduce((sum, { usd }) => sum + usd, 0) / 1e9).toFixed(3),
        ]),
      )
      const rows = (await ask(21)).map(({ as_of, state, firms, billions_usd }) => [
        as_of,
        state,
        firms,
        Number(billions_usd).toFixed(3),
      ])
      const sorted = (list: unknown[][]) => list.map((row) => JSON.stringify(row)).toSorted()
      expect(sorted(rows)).toEqual(sorted(expected))
    })

    it('the documented questions return the firms that crossed one billion dollars in 2022', async () => {
      const [july, october] = [...filed.values()].map((firms) => new Map(firms.map((firm) => [firm.crd, firm])))
      const expected = [...(october ?? [])].flatMap(([crd, { name, usd }]) => {
        const before = july?.get(crd)?.usd
        return before !== undefined && before < 1e9 !== usd < 1e9 ? [[name, before, usd]] : []
      })
      const rows = (await ask(27)).map(({ legal_name, old_usd, new_usd }) => [
        legal_name,
        Number(old_usd),
        Number(new_usd),
      ])
      const sorted = (list: unknown[][]) => list.map((row) => JSON.stringify(row)).toSorted()
      expect(rows.length).toBeGreaterThan(10)
      expect(sorted(rows)).toEqual(sorted(expected))
    })
  },
)
