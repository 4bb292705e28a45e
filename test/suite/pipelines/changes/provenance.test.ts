import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { erasures } from '../../../../pipelines/erasures/pipeline.ts'
import { markGone } from '../../../../pipelines/members/mark-gone.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { repairMembers } from '../../../../pipelines/members/repair.ts'
import { verifyMembers } from '../../../../pipelines/members/verify.ts'
import { erasePerson } from '../../../../src/privacy/erase-person.ts'
import { addMembers } from '../../../../src/tal/tal-members.ts'
import { TEST_ACTOR } from '../../../helpers/clients.ts'
import { gathered, record, says, shows } from '../../../helpers/findings.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../../helpers/pipeline-deps.ts'
import { placesHolding } from '../../../helpers/search-database.ts'
import type { TestService } from '../../../helpers/service.ts'
import { startService } from '../../../helpers/service.ts'

const ACME = 'acme.example'
const SETTINGS = { members: { ...PIPELINE_SETTINGS.members, provenance: 'all' as const } }

describe('provenance', () => {
  let service: TestService
  let bench: Bench
  const pull = (settings = {}) => bench.run({ pipeline: talMembers, settings })
  const query = async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(bench.warehouse.db)).rows
  const verify = () => verifyMembers({ ...bench.deps, signal: new AbortController().signal })
  const store = (count: number) =>
    record(
      service.db,
      gathered(ACME, {
        observations: [
          says('website', 'name', 'Acme', { confidence: 0.95 }),
          says('wikidata', 'name', 'ACME', { confidence: 0.9 }),
          says('website', 'employee_count', count, { confidence: 0.8 }),
          says('wikidata', 'employee_count', 90, { confidence: 0.78 }),
          says('wikidata', 'description', 'Acme was founded by Cy Cole.', { confidence: 0.5 }),
        ],
        people: [
          shows('website', 'Ann Ash', { title: 'CEO', email: 'ann@acme.example', confidence: 0.9 }),
          shows('wikidata', 'Ann Ash', { title: 'Chair', confidence: 0.89 }),
          shows('website', 'Cy Cole', { title: 'Founder', confidence: 0.9 }),
        ],
      }),
    )

  beforeAll(async () => {
    service = await startService()
    await addMembers(service.db, service.client.client_id, { domains: [ACME] })
    await store(50)
    bench = await pipelineBench(service, SETTINGS)
    await bench.run({ pipeline: erasures })
  })
  afterAll(async () => {
    await bench[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  it('does not request provenance by default', async () => {
    const run = await pull({ members: PIPELINE_SETTINGS.members })
    expect(run).toMatchObject({ outcome: 'ok' })
    expect(
      await query('select from warehouse.company_provenance union all select from warehouse.person_provenance'),
    ).toEqual([])
  })

  it('pulls provenance with changed records, without additional requests', async () => {
    await store(51)
    const before = await pull({ members: PIPELINE_SETTINGS.members })
    await store(52)
    const run = await pull()
    expect(run).toMatchObject({ outcome: 'ok', requests: before.requests })
    expect(
      await query(`select field, value, source, confidence, alternatives, rival_value, rival_source, doubt
        from warehouse.company_evidence where field in ('name', 'employee_count') order by field`),
    ).toEqual([
      expect.objectContaining({
        field: 'employee_count',
        value: '52',
        source: 'website',
        alternatives: 1,
        rival_value: '90',
        rival_source: 'wikidata',
      }),
      expect.objectContaining({
        field: 'name',
        value: 'Acme',
        source: 'website',
        alternatives: 1,
        rival_value: null,
        doubt: null,
      }),
    ])
    expect(
      await query(
        "select full_name, value, source, rival_value, rival_source, doubt from warehouse.person_evidence where field = 'title' order by 1",
      ),
    ).toEqual([
      {
        full_name: 'Ann Ash',
        value: 'CEO',
        source: 'website',
        rival_value: 'Chair',
        rival_source: 'wikidata',
        doubt: 'sources disagree',
      },
      { full_name: 'Cy Cole', value: 'Founder', source: 'website', rival_value: null, rival_source: null, doubt: null },
    ])
  })

  it('pulls the same provenance as the service has', async () => {
    const { body } = await service.call('GET', `/v2/companies/${ACME}?include_provenance=true`)
    const provenance = body['provenance'] as Record<
      string,
      { source: string; confidence: number; alternatives: { source: string }[] }
    >
    const expected = Object.entries(provenance)
      .flatMap(([field, winner]) =>
        [winner, ...winner.alternatives].map(({ source }, position) => ({ field, position, source })),
      )
      .toSorted((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : a.position - b.position))
    expect(await query('select field, position, source from warehouse.company_provenance order by 1, 2')).toEqual(
      expected,
    )
  })

  it('does not write or request provenance again when nothing changed', async () => {
    const before = await query('select xmin::text, * from warehouse.company_provenance order by field, position')
    expect(await pull()).toMatchObject({ outcome: 'ok', requests: 1, inserted: 0, updated: 0 })
    expect(await query('select xmin::text, * from warehouse.company_provenance order by field, position')).toEqual(
      before,
    )
  })

  it('verifies and repairs provenance', async () => {
    expect((await verify()).differences).toEqual([])
    await query("update warehouse.company_provenance set source = 'x' where field = 'name' and position = 0")
    await query("delete from warehouse.person_provenance where field = 'title' and position = 1")
    await query(
      `insert into warehouse.company_provenance (domain, field, position, run_id, row_hash) values ('${ACME}', 'phone', 7, 1, '')`,
    )
    const { differences } = await verify()
    expect(differences.map(({ kind, entity, fields }) => [kind, entity, fields])).toEqual([
      ['differs', 'company_provenance', ['source']],
      ['extra', 'company_provenance', undefined],
      ['missing', 'person_provenance', undefined],
    ])
    const repair = {
      name: 'repair',
      description: '',
      run: async (context: Parameters<typeof repairMembers>[0]) => ({
        reasons: await repairMembers(context, differences),
      }),
    }
    expect(await bench.run({ pipeline: repair })).toMatchObject({ outcome: 'ok' })
    expect((await verify()).differences).toEqual([])
  })

  it('provenance does not name a person whom the service has erased', async () => {
    expect(await placesHolding(bench.warehouse.db, 'cy cole')).toEqual(
      expect.arrayContaining(['warehouse.company_provenance.value', 'warehouse.person_provenance.value']),
    )
    await erasePerson(service.db, { full_name: 'Cy Cole', company_domain: ACME }, { actor: TEST_ACTOR })
    await bench.run({ pipeline: erasures })
    expect(await placesHolding(bench.warehouse.db, 'cy cole')).toEqual([])
    await pull()
    expect(await placesHolding(bench.warehouse.db, 'cy cole')).toEqual([])
    expect((await verify()).differences).toEqual([])
  })

  it('compares provenance without regard to case and punctuation', async () => {
    expect(await query("select warehouse.plain_text('Acme, Inc.') as text")).toEqual([{ text: 'acme inc' }])
    await query(
      "update warehouse.company_provenance set value = 'Acme.', confidence = 0.99 where field = 'name' and position = 1",
    )
    expect(await query("select rival_value, doubt from warehouse.company_evidence where field = 'name'")).toEqual([
      { rival_value: null, doubt: null },
    ])
  })

  it('deletes the provenance of a company that left the list', async () => {
    const listed = 'select domain from warehouse.company_evidence union select domain from warehouse.doubtful_value'
    expect(await query(listed)).toEqual([{ domain: ACME }])
    await markGone(bench.warehouse.db, [ACME], 1)
    expect(await query(listed)).toEqual([])
  })
})
