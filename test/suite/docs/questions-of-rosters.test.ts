import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  { file: join(SHARED_ROSTERS, 'ia070122.zip'), as_of: '2022-06-30' },
  { file: join(SHARED_ROSTERS, 'ia100322.zip'), as_of: '2022-10-01' },
]
const PAGE = join(import.meta.dirname, '../../../docs/questions.md')

interface Filed {
  crd: number
  name: string
  state: string | null
  usd: number
}

const read = (file: string): Filed[] =>
  readRosterIndependently(file).map((row) => ({
    crd: Number(row['Organization CRD#']),
    name: row['Legal Name'] ?? '',
    state: row['Main Office State'] || null,
    usd: Number((row['5F(2)(c)'] ?? '').replaceAll(',', '')),
  }))

// Public files, too large for the repository.
describe.skipIf(!ROSTERS.every(({ file }) => existsSync(file)))('questions about the real rosters of 2022', () => {
  let service: TestService
  let bench: Bench

  beforeAll(async () => {
    service = await startService({ plan: { reads_per_minute: 1_000_000 } })
    bench = await pipelineBench(service)
    for (const { file } of ROSTERS) {
      await importFirmFile(service.postgres, file, { maxBytes: 2 ** 32, maxGoneShare: 0.1 })
      expect(await bench.run()).toMatchObject({ outcome: 'ok' })
    }
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

  it('give the assets by state of each roster', async () => {
    const expected = ROSTERS.flatMap(({ file, as_of }) =>
      [...Map.groupBy(read(file), ({ state }) => state)].map(([state, of]) => [
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

  it('give the firms that crossed one billion dollars', async () => {
    const [july, october] = ROSTERS.map(({ file }) => new Map(read(file).map((firm) => [firm.crd, firm])))
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
})
