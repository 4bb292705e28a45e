import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import type { LoggedCall } from '../../helpers/call-log.ts'
import type { Element } from '../../helpers/contract-elements.ts'
import { keyOf, listElements } from '../../helpers/contract-elements.ts'
import { startService } from '../../helpers/service.ts'
import { writtenTitle } from '../../helpers/test-titles.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PAGE = join(ROOT, 'docs/generated/api-coverage.md')

const KINDS = { status: 'status', parameter: 'parameter', limit: 'limit', reply: 'reply field' } as const
const NEVER = 'never'
/** The text that marks elements that no test uses yet. The number of these elements may only decrease. */
const UNTESTED = 'none'
const MAX_UNTESTED = 10
/** Fields of a shared schema that an operation never sets, or that another operation covers. */
const NOT_TESTED: readonly [RegExp, string][] = [
  [/^GET .*\/persons\|reply\|persons\[\]\.profile\.left_at$/, 'people who left are not listed'],
  [/companies\/\{domain\}\/history\|reply\|events\[\]\.person_id$/, 'null for company events'],
  [/(?<!persons)\[\]\.(provenance|sources)/, 'lists have no provenance'],
  [/^GET \/v2\/events\|status\|200$/, 'never ends; the tests of the warehouse read it as a stream'],
  [/^POST \/v2\/enrich\/company\|reply\|company\./, 'as for GET /v2/companies/{domain}'],
  [/^POST \/v2\/companies\/batch-read\|reply\|companies\[\]/, 'as for GET /v2/companies/{domain}'],
  [/^POST \/v2\/persons\/batch-read\|reply\|.*persons\[\]/, 'as for GET /v2/companies/{domain}/persons'],
]
const CALLS = process.env['TALHOUSE_TEST_CALLS']

it.runIf(CALLS)('docs/generated/api-coverage.md is generated from the calls of the tests', async () => {
  await using service = await startService()
  const calls = (await readFile(CALLS as string, 'utf8')).trim().split('\n')
  const shown = new Map<string, string>()
  for (const call of calls.map((line) => JSON.parse(line) as LoggedCall)) {
    const title = writtenTitle(await readFile(call.file, 'utf8'), call.test)
    const place = `\`${relative(ROOT, call.file)}\` | ${title}`
    for (const key of call.elements) if (title && !shown.has(key)) shown.set(key, place)
  }
  const rows = listElements(service.document).map((element) => row(element, shown.get(keyOf(element))))
  const [head = ''] = (await readFile(PAGE, 'utf8')).split('\n| operation')
  await writeFile(PAGE, `${head}\n| operation | | | test | title |\n|---|---|---|---|---|\n${rows.join('\n')}\n`)
})

it('docs/generated/api-coverage.md has a row for every element of the OpenAPI document', async () => {
  await using service = await startService()
  const rows = (await readRows()).filter((cells) => cells.length === 5)
  expect(rows.map((cells) => cells.slice(0, 3).join(' | '))).toEqual(listElements(service.document).map(nameOf))
})

it('docs/generated/api-coverage.md has no more untested elements than known', async () => {
  expect((await readRows()).filter((cells) => cells.at(-2) === UNTESTED).length).toBeLessThanOrEqual(MAX_UNTESTED)
})

it('docs/generated/api-coverage.md names only existing tests', async () => {
  for (const cells of await readRows()) {
    const [title = '', file = ''] = cells.toReversed()
    if (file === NEVER || file === UNTESTED) continue
    const source = await readFile(join(ROOT, file.replaceAll('`', '')), 'utf8').catch(() => '')
    expect(source !== '' && writtenTitle(source, title) === title, cells.join(' | ')).toBe(true)
  }
})

/** Reads the cells of both tables, without headings. */
async function readRows(): Promise<string[][]> {
  const lines = (await readFile(PAGE, 'utf8')).split('\n').filter((line) => /^\| (?!what |operation )/.test(line))
  return lines.map((line) => line.slice(2, -2).split(' | '))
}

const nameOf = ({ operation, kind, name }: Element): string => `${operation} | ${KINDS[kind]} | ${name}`

const row = (element: Element, place = notTested(element)): string => `| ${nameOf(element)} | ${place} |`

function notTested(element: Element): string {
  const [, reason] = NOT_TESTED.find(([pattern]) => pattern.test(keyOf(element))) ?? []
  return reason ? `${NEVER} | ${reason}` : `${UNTESTED} | not used by a test yet`
}
