import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ServiceTables } from '../../../src/db/database.ts'
import { openBenchService } from '../../bench/bench-service.ts'
import { testDatabase } from '../../helpers/database.ts'
import { frequentStatements, RARE_CALLS, REASONS, shortened } from '../../helpers/frequent-statements.ts'
import { startService } from '../../helpers/service.ts'

const CATALOGUE = readFileSync(join(import.meta.dirname, '../../../docs/generated/citus-statements.md'), 'utf8')
/** Paths whose calls read or write the facts about companies. */
const USES_FACTS = /^\/v2\/(companies|persons|tasks|enrich|search|discover)(\/|$)/

describe('the catalogue of statements on Citus', () => {
  let found: Awaited<ReturnType<typeof frequentStatements>>
  beforeAll(async () => {
    await using database = await testDatabase<ServiceTables>('service')
    await using bench = await openBenchService(database.url)
    found = await frequentStatements(bench)
  })

  it('lists exactly the statements of the frequent calls (npm run generate -- citus-statements)', () => {
    const rows = CATALOGUE.split('\n').filter((line) => /^\| (GET|POST) /.test(line))
    const listed = rows.map((row) => row.slice(0, row.lastIndexOf(' | ')))
    const made = found.statements.map(({ call, text }) => `| ${call} | \`${shortened(text)}\``)
    expect(listed.toSorted()).toEqual(made.toSorted())
  })

  it('contains no statement that reads several shards without a reason', () => {
    expect(CATALOGUE).not.toContain('no reason')
    expect(found.calls).toEqual(expect.arrayContaining(Object.keys(REASONS)))
  })

  it('covers every operation on companies, persons and tasks that is not rare', async () => {
    await using service = await startService()
    const operations = Object.entries(service.document.paths)
      .filter(([path]) => USES_FACTS.test(path))
      .flatMap(([path, methods]) => Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`))
    const known = [...found.calls, ...Object.keys(RARE_CALLS)]
    expect(operations.length).toBeGreaterThan(10)
    expect(known).toEqual(expect.arrayContaining(operations))
  })
})
