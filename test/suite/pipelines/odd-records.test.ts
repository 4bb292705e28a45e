import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { history } from '../../../pipelines/history/pipeline.ts'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import { COMPANY, PERSON, SIGNAL } from '../../../pipelines/members/row-shape.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import { emailHash, startStrangeHost } from '../../helpers/strange-host.ts'

const HASH = emailHash('jane@honest.example')
const CHANGED = { field: 'name', old_value: null, new_value: 'Honest', changed_at: '2026-05-01T10:00:00Z' }

/** JSON values that a column cannot store, or stores differently than expected. */
const odd = fc.constantFrom<unknown>(
  'a\0b',
  'half a pair: \ud83d',
  'x'.repeat(20_000),
  '0000-01-01',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-01-01T25:61:00Z',
  '2026-01-01T00:00:00.123456789+23:00',
  '0000-01-01T00:00:00Z',
  '',
  0,
  -1.5,
  2 ** 31,
  9e15,
  1e308,
  5e-324,
  true,
  [],
  { 'a\0': ['\udc00', { b: '\0' }] },
)
/** Most records have only one or two odd fields, so that one rejection does not hide another. */
const seldomOdd = fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: odd })
const recordOf = (names: readonly string[], usual: object = {}) =>
  fc
    .record(Object.fromEntries(names.map((name) => [name, seldomOdd])))
    .map((fields): Record<string, unknown> => ({ ...fields, ...withoutNull(usual, fields) }))
/** Ordinary values. */
const withoutNull = (usual: object, fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, fields[name] ?? value]))
const signals = fc.array(recordOf(['date', ...Object.keys(SIGNAL.columns)], { type: 'Award' }), { maxLength: 4 })
const company = fc
  .tuple(recordOf(Object.keys(COMPANY.columns)), signals)
  .map(([fields, news]): Record<string, unknown> => ({ ...fields, signals: news }))
const persons = fc.array(recordOf(Object.keys(PERSON.columns)), { maxLength: 4 })
const events = fc.array(
  recordOf(['id', 'person_id', 'kind', 'field', 'old_value', 'new_value', 'changed_at', 'source', 'task_id'], {
    field: 'phone',
    changed_at: '2026-06-01T10:00:00Z',
  }),
  { maxLength: 4 },
)

it('stores valid records of a host and quarantines all others', async () => {
  await using host = await startStrangeHost()
  const { world } = host
  world.tal.push(
    { domain: 'honest.example' },
    { domain: 'nul\0.example' },
    { domain: `${'long.'.repeat(2000)}example` },
  )
  world.companies.set('honest.example', { domain: 'honest.example', name: 'Honest' })
  world.persons.set('honest.example', [{ email_hash: HASH, full_name: 'Jane Roe' }])
  world.events.set('honest.example', [CHANGED])
  for (const [number, [fields, people, changes]] of fc
    .sample(fc.tuple(company, persons, events), { numRuns: 150, seed: 20 })
    .entries()) {
    const domain = `odd${number}.example`
    world.tal.push({ domain, source: fields['name'] as string })
    world.companies.set(domain, fields)
    world.persons.set(domain, people)
    // One valid event among those that may be rejected.
    world.events.set(domain, [...(changes as unknown as (typeof CHANGED)[]), CHANGED])
  }
  await using bench = await pipelineBench(host)

  expect(await bench.run({ pipeline: talMembers })).toMatchObject({ outcome: 'degraded' })
  expect(await bench.run({ pipeline: history })).toMatchObject({ outcome: 'degraded' })
  const { rows } = await sql`
    select company.name, person.full_name from warehouse.company join warehouse.person on company_domain = domain
    where domain = 'honest.example'
  `.execute(bench.warehouse.db)
  expect(rows).toEqual([{ name: 'Honest', full_name: 'Jane Roe' }])
  const without = await sql`
    select domain from warehouse.company where not exists (
      select from warehouse.history_event event where event.domain = company.domain and new_value = '"Honest"'
    )
  `.execute(bench.warehouse.db)
  expect(without.rows).toEqual([])

  expect(await bench.run({ pipeline: talMembers })).toMatchObject({ inserted: 0, updated: 0 })
  expect(await bench.run({ pipeline: history })).toMatchObject({ inserted: 0, updated: 0 })
})
