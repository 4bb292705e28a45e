import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { exportFromWarehouse } from '../../../../pipelines/erasures/export-person.ts'
import { erasures } from '../../../../pipelines/erasures/pipeline.ts'
import { history } from '../../../../pipelines/history/pipeline.ts'
import { verifyHistory } from '../../../../pipelines/history/verify.ts'
import { createHostClient } from '../../../../pipelines/host/host-client.ts'
import { talMembers } from '../../../../pipelines/members/pipeline.ts'
import { runPipeline } from '../../../../pipelines/runner/run-pipeline.ts'
import { createApiKey } from '../../../../src/auth/api-keys.ts'
import type { Gathered } from '../../../../src/findings/gather.ts'
import { erasePerson } from '../../../../src/privacy/erase-person.ts'
import { exportPerson } from '../../../../src/privacy/export-person.ts'
import { addMembers } from '../../../../src/tal/tal-members.ts'
import { TEST_ACTOR } from '../../../helpers/clients.ts'
import { gathered, record, says, shows, tells } from '../../../helpers/findings.ts'
import type { Bench } from '../../../helpers/pipeline.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { PIPELINE_SETTINGS } from '../../../helpers/pipeline-deps.ts'
import { placesHolding } from '../../../helpers/search-database.ts'
import type { TestService } from '../../../helpers/service.ts'
import { startService } from '../../../helpers/service.ts'
import { staleChanges } from '../../../helpers/stale-changes.ts'

const ACME = 'acme.example'
const BIRCH = 'birch.example'
const DAY_MS = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const profile = (name: string): string => `https://www.linkedin.com/in/${name}-invented`

interface Change {
  full_name: string
  domain: string
  kind: string
  evidence: string | null
  title: string | null
  old_title: string | null
}

describe('personnel changes', () => {
  let service: TestService
  let bench: Bench

  const store = (found: Gathered, taskId: string) => record(service.db, found, { taskId })
  const night = async () => {
    const runs = []
    for (const pipeline of [erasures, talMembers, history]) runs.push(await bench.run({ pipeline }))
    expect(runs.map(({ outcome, reasons }) => [outcome, reasons])).toEqual(runs.map(() => ['ok', []]))
    return runs
  }
  const query = async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(bench.warehouse.db)).rows
  const changes = () =>
    query<Change>(
      'select full_name, domain, kind, evidence, title, old_title from warehouse.leadership_change order by 1, 2, changed_at',
    )

  beforeAll(async () => {
    service = await startService()
    await addMembers(service.db, service.client.client_id, { domains: [ACME, BIRCH] })
    bench = await pipelineBench(service)
    // No address is known for Bob and Fay: the service finds their history by person_id.
    await store(
      gathered(ACME, {
        observations: [says('website', 'name', 'Acme'), says('website', 'headquarters_city', 'Oslo')],
        people: [
          shows('website', 'Ann Ash', { title: 'CEO', email: 'ann@acme.example' }),
          shows('website', 'Bob Birk', { title: 'Chief Financial Officer', social_url: profile('bob') }),
          shows('website', 'Cy Cole', { title: 'Analyst' }),
        ],
      }),
      'first',
    )
    await store(
      gathered(BIRCH, {
        people: [
          shows('website', 'Dan Dale', { title: 'President' }),
          shows('website', 'Eve Elm', { title: 'Partner' }),
        ],
        signals: [
          tells('news', 'Birch names Eve Elm as Partner', { type: 'Leadership Change', date: daysAgo(20) }),
          tells('news', 'Birch hires Jordan Daley as Counsel', { type: 'Leadership Change', date: daysAgo(10) }),
        ],
      }),
      'first',
    )
    await night()
  })
  afterAll(async () => {
    await bench[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  // After each nightly run, erasure and deletion of old rows, the stored changes equal the classification of the whole
  // history.
  afterEach(async () => {
    expect(await staleChanges(bench.warehouse.db)).toEqual([])
  })

  it('personnel changes do not include people who were found by the first search, unless the news names them', async () => {
    expect((await changes()).map(({ full_name, kind, evidence }) => [full_name, kind, evidence])).toEqual([
      ['Ann Ash', 'first_seen', null],
      ['Bob Birk', 'first_seen', null],
      ['Cy Cole', 'first_seen', null],
      ['Dan Dale', 'first_seen', null],
      ['Eve Elm', 'joined', 'news'],
    ])
    const [eve] = await query<{ day: string }>(
      "select (changed_at at time zone 'UTC')::date::text as day from warehouse.leadership_change where full_name = 'Eve Elm'",
    )
    expect(eve?.day).toBe(daysAgo(20))
  })

  it('personnel changes keep the history of a person who left, and report who joined and whose title changed', async () => {
    await store(
      gathered(ACME, {
        observations: [says('website', 'name', 'Acme'), says('website', 'headquarters_city', 'Bergen')],
        people: [
          shows('website', 'Ann Ash', { title: 'Chair', email: 'ann@acme.example' }),
          shows('website', 'Cy Cole', { title: 'analyst' }),
          shows('website', 'Fay Fir', { title: 'Chief Financial Officer' }),
        ],
      }),
      'second',
    )
    // A new source lists one more person, who counts as found, not as hired.
    await store(
      gathered(BIRCH, {
        people: [
          shows('website', 'Dan Dale', { title: 'President' }),
          shows('website', 'Eve Elm', { title: 'Partner' }),
          shows('website', 'Bob Birk', { title: 'Treasurer', social_url: profile('bob') }),
          shows('wikidata', 'Gus Gorse', { title: 'Founder' }),
        ],
      }),
      'second',
    )
    await night()
    expect(await changes()).toEqual([
      { full_name: 'Ann Ash', domain: ACME, kind: 'first_seen', evidence: null, title: 'CEO', old_title: null },
      {
        full_name: 'Ann Ash',
        domain: ACME,
        kind: 'title_changed',
        evidence: 'listed',
        title: 'Chair',
        old_title: 'CEO',
      },
      {
        full_name: 'Bob Birk',
        domain: ACME,
        kind: 'first_seen',
        evidence: null,
        title: 'Chief Financial Officer',
        old_title: null,
      },
      {
        full_name: 'Bob Birk',
        domain: ACME,
        kind: 'left',
        evidence: 'unlisted',
        title: 'Chief Financial Officer',
        old_title: null,
      },
      { full_name: 'Bob Birk', domain: BIRCH, kind: 'joined', evidence: 'listed', title: 'Treasurer', old_title: null },
      { full_name: 'Cy Cole', domain: ACME, kind: 'first_seen', evidence: null, title: 'Analyst', old_title: null },
      { full_name: 'Dan Dale', domain: BIRCH, kind: 'first_seen', evidence: null, title: 'President', old_title: null },
      { full_name: 'Eve Elm', domain: BIRCH, kind: 'joined', evidence: 'news', title: 'Partner', old_title: null },
      {
        full_name: 'Fay Fir',
        domain: ACME,
        kind: 'joined',
        evidence: 'listed',
        title: 'Chief Financial Officer',
        old_title: null,
      },
      { full_name: 'Gus Gorse', domain: BIRCH, kind: 'first_seen', evidence: null, title: 'Founder', old_title: null },
    ])
    expect(await query('select full_name, company_domain from warehouse.former_person')).toEqual([
      { full_name: 'Bob Birk', company_domain: ACME },
    ])
  })

  it('personnel changes follow a person from one company to another', async () => {
    expect(
      await query(
        'select full_name, from_domain, from_title, to_domain, to_title, found_kind, left_at is not null as has_left from warehouse.account_mover',
      ),
    ).toEqual([
      {
        full_name: 'Bob Birk',
        from_domain: ACME,
        from_title: 'Chief Financial Officer',
        to_domain: BIRCH,
        to_title: 'Treasurer',
        found_kind: 'joined',
        has_left: true,
      },
    ])
    expect(
      await query(`select domain, title, from_kind, to_kind, to_at is null as is_current from warehouse.person_career
        where identity in (select identity from warehouse.person_career where full_name in ('Bob Birk', 'Ann Ash')) order by full_name, from_at`),
    ).toEqual([
      { domain: ACME, title: 'CEO', from_kind: 'first_seen', to_kind: 'title_changed', is_current: false },
      { domain: ACME, title: 'Chair', from_kind: 'title_changed', to_kind: null, is_current: true },
      { domain: ACME, title: 'Chief Financial Officer', from_kind: 'first_seen', to_kind: 'left', is_current: false },
      { domain: BIRCH, title: 'Treasurer', from_kind: 'joined', to_kind: null, is_current: true },
    ])
  })

  it.each([
    [
      'a story is corrected',
      "update warehouse.signal set headline = 'Birch names a partner' where headline ~ 'Eve Elm'",
    ],
    ['a story is deleted', "delete from warehouse.signal where headline ~ 'Eve Elm'"],
    [
      'a story appears later',
      `insert into warehouse.signal (company_domain, signal_key, type, headline, published_on, run_id, row_hash)
      values ('${BIRCH}', 'late', 'Leadership Change', 'Gus Gorse joins Birch', current_date - 1, 1, '')`,
    ],
    ['a name is corrected', "update warehouse.person set full_name = 'Eva Elm' where full_name = 'Eve Elm'"],
    ['a person is deleted', "delete from warehouse.person where full_name = 'Ann Ash'"],
    [
      'a former person returns under a name that the news uses',
      `with story as (
        insert into warehouse.signal (company_domain, signal_key, type, headline, published_on, run_id, row_hash)
        values ('${ACME}', 'return', 'Leadership Change', 'Acme hires Robert Birk', current_date - 1, 1, '')
      )
      insert into warehouse.person (company_domain, person_key, person_id, full_name, run_id, row_hash)
      select company_domain, person_key, person_id, 'Robert Birk', 1, '' from warehouse.former_person`,
    ],
    ['a former person is deleted', 'delete from warehouse.former_person'],
    [
      'an event is corrected',
      'update warehouse.history_event set new_value = \'"Chairwoman"\' where new_value = \'"Chair"\'',
    ],
    ['an event is deleted', "delete from warehouse.history_event where field = 'left_at'"],
  ])('derives personnel changes again when %s', async (_, statement) => {
    const before = await changes()
    const trx = await bench.warehouse.db.startTransaction().execute()
    await sql.raw(statement).execute(trx)
    const { rows } = await sql`
      select full_name, domain, kind, evidence, title, old_title from warehouse.leadership_change order by 1, 2, changed_at`.execute(
      trx,
    )
    const stale = await staleChanges(trx)
    await trx.rollback().execute()
    expect(rows).not.toEqual(before)
    expect(stale).toEqual([])
  })

  it('lists companies that moved to another city', async () => {
    expect(await query('select domain, old_city, new_city, old_state, new_state from warehouse.company_moved')).toEqual(
      [{ domain: ACME, old_city: 'Oslo', new_city: 'Bergen', old_state: null, new_state: null }],
    )
  })

  it('the history in the warehouse matches the history at the service', async () => {
    const { signal } = new AbortController()
    expect(await verifyHistory({ ...bench.deps, signal })).toMatchObject({ differences: [], notes: [] })
    const shown = await sql<{ events: string }>`
      select md5(string_agg(concat_ws('|', domain, id, person_id, field, old_value, new_value, source, task_id), E'\n' order by domain, id)) as events
      from history_event`.execute(service.db)
    expect(
      await query(`select md5(string_agg(concat_ws('|', domain, event_key, person_id, field, old_value, new_value, source, task_id), E'\n'
        order by domain, event_key::bigint)) as events from warehouse.history_event`),
    ).toEqual(shown.rows)
  })

  it('personnel changes require no requests on a night without changes', async () => {
    const runs = await night()
    expect(runs.map(({ requests }) => requests)).toEqual([1, 1, 0])
    for (const run of runs) expect(run).toMatchObject({ inserted: 0, updated: 0, gone: 0 })
  })

  it('deletes the personnel changes of a missing person whom the service has erased', async () => {
    await erasePerson(service.db, { full_name: 'Cy Cole', company_domain: ACME }, { actor: TEST_ACTOR })
    await bench.run({ pipeline: talMembers })
    expect(await query("select from warehouse.former_person where full_name = 'Cy Cole'")).toEqual([])
    expect(await placesHolding(bench.warehouse.db, 'cy cole')).toEqual([])
  })

  it('exports the personnel changes of a person without an address', async () => {
    const { matcher } = await exportPerson(service.db, { social_url: profile('bob') }, TEST_ACTOR)
    const rows = await exportFromWarehouse(bench.warehouse.db, matcher)
    expect(rows['sync.person_change']?.map(({ domain, kind }) => [domain, kind])).toEqual(
      expect.arrayContaining([
        [ACME, 'left'],
        [BIRCH, 'joined'],
      ]),
    )
  })

  it('personnel changes contain no erased person who left before the erasure', async () => {
    expect(await placesHolding(bench.warehouse.db, 'bob birk')).toEqual(
      expect.arrayContaining(['warehouse.former_person.full_name', 'warehouse.history_event.new_value']),
    )
    await erasePerson(service.db, { social_url: profile('bob') }, { actor: TEST_ACTOR })
    await bench.run({ pipeline: erasures })
    for (const name of ['bob birk', 'bob-invented']) expect(await placesHolding(bench.warehouse.db, name)).toEqual([])
    expect(await query('select from warehouse.history_event where new_value = \'"Treasurer"\'')).toEqual([])
  })

  it('restores the personnel changes of a person who returns, and deletes former people after former_people_days', async () => {
    const people = [shows('website', 'Ann Ash', { title: 'Chair', email: 'ann@acme.example' })]
    await store(gathered(ACME, { people }), 'third')
    await night()
    expect(await query('select full_name from warehouse.former_person')).toEqual([{ full_name: 'Fay Fir' }])
    const fay = shows('website', 'Fay Fir', { title: 'Chief Financial Officer' })
    await store(gathered(ACME, { people: [...people, fay] }), 'fourth')
    await night()
    expect(await query('select full_name from warehouse.former_person')).toEqual([])
    expect(
      (await changes())
        .filter(({ full_name }) => full_name === 'Fay Fir')
        .map(({ kind, evidence }) => [kind, evidence]),
    ).toEqual([
      ['joined', 'listed'],
      ['left', 'unlisted'],
      ['joined', 'returned'],
    ])
    await store(gathered(ACME, { people }), 'fifth')
    await night()
    await sql`update warehouse.former_person set gone_at = now() - interval '3 days'`.execute(bench.warehouse.db)
    const members = { ...PIPELINE_SETTINGS.members, former_people_days: 2 }
    await bench.run({ pipeline: talMembers, settings: { members } })
    expect(await placesHolding(bench.warehouse.db, 'fay fir')).toEqual([])
  })

  it('stores no history with masked contact data, which a key without the scope contacts receives', async () => {
    await using other = await pipelineBench(service)
    await other.run({ pipeline: talMembers })
    const { key } = await createApiKey(service.db, service.client.client_id, { scopes: ['read', 'lists'] })
    await using client = createHostClient({ baseUrl: service.url, apiKey: key })
    const { signal } = new AbortController()
    const { run } = await runPipeline({ ...other.deps, client }, history, { requestedBy: 'command', signal })
    expect(run.outcome).toBe('failed')
    expect(await placesHolding(other.warehouse.db, '***')).toEqual([])
  })
})
