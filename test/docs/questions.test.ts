import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { nightly } from '../../pipelines/nightly.ts'
import { firstDay } from '../chaos/two-days.ts'
import { pipelineBench } from '../helpers/pipeline.ts'
import { startStrangeHost } from '../helpers/strange-host.ts'

const PAGE = join(import.meta.dirname, '../../docs/questions.md')

/** What a warehouse after its first night cannot have: numbers of questions whose answer may be empty. */
const MAY_BE_EMPTY = new Set([4, 5, 6, 8, 9, 13, 16])

it('docs/questions.md: an analyst can ask each of the twenty, and gets an answer', async () => {
  await using host = await startStrangeHost()
  firstDay(host.world)
  await using bench = await pipelineBench(host)
  await bench.run({ pipeline: nightly })
  const page = await readFile(PAGE, 'utf8')
  const questions = [...page.matchAll(/## (\d+)\. .*\n\n```sql\n([\s\S]*?)```/g)]
  expect(questions.map(([, number]) => Number(number))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  for (const [, number, text] of questions) {
    const { rows } = await bench.warehouse.db.transaction().execute(async (trx) => {
      await sql`set local role talhouse_analyst`.execute(trx)
      return await sql.raw(text as string).execute(trx)
    })
    if (!MAY_BE_EMPTY.has(Number(number))) expect(rows.length, `question ${number}`).toBeGreaterThan(0)
  }
})
