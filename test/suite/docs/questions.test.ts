import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { nightly } from '../../../pipelines/nightly.ts'
import type { Pipeline } from '../../../pipelines/runner/pipeline.ts'
import { runPipeline } from '../../../pipelines/runner/run-pipeline.ts'
import { answer, changeTheWorld } from '../../helpers/answer-independently.ts'
import { openDemoHouse } from '../../helpers/demo-house.ts'
import { markdownTable } from '../../helpers/markdown-table.ts'
import { PIPELINE_SETTINGS } from '../../helpers/pipeline-deps.ts'

const PAGE = join(import.meta.dirname, '../../../docs/questions.md')
const SHOWN = 10

/**
 * Questions that concern only the sample roster, so their results are compared cell by cell. For the other questions,
 * only the columns are compared.
 */
const STEADY = new Set([1, 2, 5])
/** Questions whose result may be empty after a single nightly run. */
const MAY_BE_EMPTY = new Set([4, 13, 27])
/** The first question that is answered after the second nightly run. */
const FIRST_LATER = 21
/** A budget below the demand and a short maximum age, so that every question returns rows. */
const SETTINGS = {
  freshness: { ...PIPELINE_SETTINGS.freshness, by_source: { demo: 5 } },
  enrich: { ...PIPELINE_SETTINGS.enrich, units_per_night: 34 },
  members: { ...PIPELINE_SETTINGS.members, provenance: 'all' as const },
}

interface Question {
  number: number
  title: string
  text: string
  /** The result table on the page; empty if the page has none yet. */
  result: string
}

it('the analyst role can run all thirty questions of docs/questions.md, and gets the documented and independently computed results', async () => {
  await using house = await openDemoHouse({ companies: 40, firms: 400 })
  const deps = { ...house.deps, settings: { ...house.deps.settings, ...SETTINGS } }
  const night = async (pipeline: Pipeline) => {
    const { signal } = new AbortController()
    const { error } = await runPipeline(deps, pipeline, { requestedBy: 'command', signal })
    expect(error).toBeUndefined()
  }
  await night(nightly)
  const page = await readFile(PAGE, 'utf8')
  const questions = readQuestions(page)
  expect(questions.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  const written: string[] = []
  for (const question of questions) {
    if (question.number === FIRST_LATER) await changeTheWorld(house, night)
    const rows = await house.warehouse.db.transaction().execute(async (trx) => {
      await sql`set local role talhouse_analyst`.execute(trx)
      return (await sql.raw<Record<string, unknown>>(question.text).execute(trx)).rows
    })
    if (!MAY_BE_EMPTY.has(question.number)) expect(rows.length, `question ${question.number}`).toBeGreaterThan(0)
    if (question.number >= FIRST_LATER)
      expect
        .soft(comparable(rows), `question ${question.number}`)
        .toEqual(comparable(await answer(house, question.number)))
    const result = markdownTable(rows, SHOWN)
    written.push(writeQuestion(question, result))
    if (process.env['TALHOUSE_TEST_WRITE_DOCS']) continue
    if (STEADY.has(question.number)) expect(question.result, `question ${question.number}`).toBe(result)
    else if (rows.length > 0 && question.result !== 'No rows.')
      expect(columnsOf(question.result), `question ${question.number}`).toBe(columnsOf(result))
    else expect(question.result).not.toBe('')
  }
  if (process.env['TALHOUSE_TEST_WRITE_DOCS'])
    await writeFile(PAGE, `${page.slice(0, page.indexOf('## 1.'))}${written.join('\n\n')}\n`)
}, 600_000)

/** Returns the rows in a fixed order, with numeric values converted to numbers. */
function comparable(rows: readonly Record<string, unknown>[]): unknown[] {
  const number = (value: unknown) =>
    typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return rows
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, number(value)])))
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
}

function readQuestions(page: string): Question[] {
  return [...page.matchAll(/## (\d+)\. (.*)\n\n```sql\n([\s\S]*?)```([\s\S]*?)(?=\n## |$(?![\s\S]))/g)].map(
    ([, number, title, text, after]) => ({
      number: Number(number),
      title: title as string,
      text: text as string,
      result: (after as string).replace(/^\s*Result[^\n]*\n\n/, '').trim(),
    }),
  )
}

function writeQuestion({ number, title, text }: Question, result: string): string {
  const heading = STEADY.has(number) ? 'Result:' : 'Result when generated:'
  return `## ${number}. ${title}\n\n\`\`\`sql\n${text}\`\`\`\n\n${heading}\n\n${result}`
}

const columnsOf = (table: string): string => table.split('\n')[0] as string
