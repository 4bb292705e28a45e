import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAudit } from '../../../src/audit/audit-log.ts'
import { COMMANDS } from '../../../src/cli/command-line.ts'
import { createOutput } from '../../../src/cli/support/output.ts'
import { parseCommandLine } from '../../../src/cli/support/parse-command-line.ts'
import { loadConfig } from '../../../src/config.ts'
import { writeSampleRoster } from '../../../src/form-adv/sample-roster.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { hashEmail } from '../../../src/personal-data/email-hash.ts'
import { testDatabase } from '../../helpers/database.ts'
import { gathered, record, shows as sees } from '../../helpers/findings.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'
import { WEBHOOK_KEYS } from '../../helpers/webhook-keys.ts'
import { findsAs, startWorkerOn } from '../../helpers/work.ts'
import { zipFile } from '../../helpers/zip-file.ts'

let service: TestService
let warehouse: Postgres<unknown>
let folder: string
let worker: AsyncDisposable | undefined
beforeAll(async () => {
  warehouse = await testDatabase('warehouse')
  service = await startService({
    plan: { units_per_period: 1000, reads_per_minute: 10_000, submits_per_minute: 10_000 },
  })
  folder = await mkdtemp(join(tmpdir(), 'talhouse-audit-'))
  await storeFirms(service.postgres, [{ crd_number: 4711, sec_number: '801-4711', legal_name: 'LISTED LLC' }])
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await warehouse[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Tables and columns that requests change without being a change of the client: limits, leases and times of use. */
const NOT_CHANGES = { tables: /^(audit_entry|rate_window|record_count|kysely_.*)$/, columns: ['last_used_at'] }

/** A hash of every row of the service database. */
async function stateOf(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(
    service.db,
  )
  const state: Record<string, string> = {}
  for (const { name } of tables.filter(({ name }) => !NOT_CHANGES.tables.test(name))) {
    const { rows } = await sql<{ hash: string }>`
      select coalesce(md5(string_agg(line, ' ' order by line)), '') as hash
      from (select (to_jsonb(t) - ${NOT_CHANGES.columns}::text[])::text as line from ${sql.table(name)} t) as lines`.execute(
      service.db,
    )
    state[name] = rows[0]?.hash ?? ''
  }
  return state
}

const entries = () => listAudit(service.db, { limit: 10_000 })

/** Expects a change with exactly one entry, or no change and no entry. Reads of personal data have an entry too. */
async function expectAudited(
  action: string | null,
  work: () => Promise<unknown>,
  { isChange = action !== null } = {},
): Promise<void> {
  const [before, known] = [await stateOf(), (await entries()).length]
  await work()
  const added = (await entries()).slice(0, -known || undefined)
  expect(added.map(({ action, result }) => ({ action, result }))).toEqual(
    action === null ? [] : [{ action, result: 'ok' }],
  )
  const isChanged = JSON.stringify(await stateOf()) !== JSON.stringify(before)
  expect(isChanged).toBe(isChange)
}

const ids = {
  domain: 'kept.example',
  email_hash: hashEmail('ada@kept.example').hash,
  client_id: 'me',
  task_id: '',
  delivery_id: '',
  session_id: '',
  key_id: '',
}

interface Operation {
  /** Action of its audit entry; null for an operation that only reads. */
  action: string | null
  path?: string
  body?: object | string
  headers?: Record<string, string>
  bodyOf?: () => object
  prepare?: () => Promise<unknown>
}
const reads: Operation = { action: null }
const submits = (body: object): Operation => ({ action: 'task.submit', body })

const endDelivery = () =>
  sql`insert into webhook_delivery (client_id, delivery_id, task_id, url, payload, state, next_attempt_at, ended_at)
    values (${service.client.client_id}, ${ids.delivery_id}, ${ids.task_id}, 'https://hooks.example/', '{}', 'failed', null, now())
    on conflict (client_id, delivery_id) do update set state = 'failed', next_attempt_at = null, ended_at = now()`.execute(
    service.db,
  )

const storePerson = (email: string) => () =>
  record(service.db, gathered(ids.domain, { people: [sees('website', 'Ada Byron', { email })] }), {
    taskId: ids.task_id,
  })

/** Every operation of the API, in the order of a day. */
const OPERATIONS: Record<string, Operation> = {
  addTalCompanies: { action: 'list.add', body: { domains: [ids.domain, 'removed.example'] } },
  listTalCompanies: reads,
  removeTalCompanies: { action: 'list.remove', body: { domains: ['removed.example'] } },
  enrichCompany: submits({ domain: ids.domain }),
  enrichPerson: submits({ email: 'ada@kept.example' }),
  enrichBatch: submits({ domains: ['batch.example'] }),
  searchLeadership: submits({ domains: [ids.domain] }),
  discoverSignals: submits({ domains: [ids.domain] }),
  enrichTal: submits({}),
  importTal: { action: 'list.import', body: 'domain\nimported.example\n', headers: { 'content-type': 'text/csv' } },
  exportTal: reads,
  matchCompanies: { action: null, body: { companies: [{ name: 'Kept' }] } },
  getCompany: reads,
  searchCompanies: reads,
  readCompanies: { action: null, body: { domains: [ids.domain] } },
  getCompanyPersons: reads,
  getCompanyHistory: reads,
  queryFirms: { action: null, body: { select: ['legal_name'] } },
  summarizeFirms: { action: null, body: {} },
  exportFirms: { action: null, body: { select: ['legal_name'] } },
  searchPersons: reads,
  getPerson: { action: null, prepare: storePerson('ada@kept.example') },
  getPersonHistory: reads,
  erasePerson: { action: 'person.erase' },
  createErasure: { action: 'person.erase', body: { email: 'ada@kept.example' } },
  listErasures: reads,
  getStats: reads,
  listTasks: reads,
  getTask: reads,
  getTaskResult: reads,
  getUsage: reads,
  getWebhookSecret: { action: 'webhook.create_secret' },
  rotateWebhookSecret: { action: 'webhook.rotate_secret' },
  listDeliveries: reads,
  replayDelivery: { action: 'webhook.replay', prepare: endDelivery },
  createSession: { action: 'session.create', bodyOf: () => ({ api_key: service.key }) },
  listSessions: reads,
  getIdentity: reads,
  endSession: { action: 'session.end' },
  createKey: { action: 'key.create', body: { label: 'colleague', scopes: ['read'] } },
  listKeys: reads,
  revokeKey: { action: 'key.revoke' },
  listLedger: reads,
  listLedgerLines: reads,
  listAudit: reads,
  listSettings: reads,
  quoteEnrichment: { action: null, body: { company: { domain: ids.domain } } },
  getLiveness: reads,
  getReadiness: reads,
}

describe('every API operation', () => {
  it('writes one audit entry exactly if it changes the database', async () => {
    const documented = new Map(
      Object.entries(service.document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [operationId as string, { method, path }] as const),
      ),
    )
    expect(Object.keys(OPERATIONS).sort(), 'add new operations to OPERATIONS').toEqual([...documented.keys()].sort())
    for (const [operationId, { action, bodyOf, body = bodyOf?.(), headers = {}, prepare }] of Object.entries(
      OPERATIONS,
    )) {
      await prepare?.()
      const { method, path } = documented.get(operationId) as { method: string; path: string }
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof typeof ids])
      await expectAudited(action, async () => {
        const reply = await service.call(method.toUpperCase(), target, { headers, ...(body !== undefined && { body }) })
        expect(reply.status, `${operationId}: ${JSON.stringify(reply.body)}`).toBe(200)
        const { task_id, session_id, key_id } = reply.body
        if (operationId === 'createKey') ids.key_id = key_id as string
        if (operationId === 'createSession') ids.session_id = session_id as string
        if (typeof task_id === 'string' && operationId === 'enrichCompany') ids.task_id = ids.delivery_id = task_id
      })
    }
  })

  it('writes no entry when a submission with the same idempotency key is repeated', async () => {
    const send = () =>
      service.call('POST', '/v2/enrich/company', {
        body: { domain: 'once.example' },
        headers: { 'idempotency-key': 'once' },
      })
    await expectAudited('task.submit', send)
    await expectAudited(null, send)
  })
})

interface CommandLine {
  action: string | null
  /** The words after the command's name. */
  words?: () => string[]
  /** @default whether it has an audit entry */
  isChange?: boolean
  prepare?: () => Promise<unknown>
}
const shows = (...words: string[]): CommandLine => ({ action: null, words: () => words })
const changes = (action: string, ...words: string[]): CommandLine => ({ action, words: () => words })

/** Results of earlier commands. */
const made = { key: '', rotated: '', erasure: '' }
const roster = () => join(folder, 'roster.csv')
const sheet = () => join(folder, 'sheet.csv')

/** Every command that uses the service, in the order of a day. */
const COMMAND_LINES: Record<string, CommandLine> = {
  'clients create': changes('client.create', 'Acme', '--id', 'acme', '--units', '100'),
  'clients list': shows(),
  'clients show': shows('acme'),
  'clients update': changes('client.update', 'acme', '--name', 'Acme Partners'),
  'keys create': changes('key.create', 'acme', '--label', 'first'),
  'keys list': shows('acme'),
  'keys rotate': { action: 'key.rotate', words: () => [made.key] },
  'keys revoke': { action: 'key.revoke', words: () => [made.rotated] },
  'units grant': changes('units.grant', 'acme', '25', '--reason', 'goodwill'),
  'units show': shows('acme'),
  'units ledger': shows('acme'),
  'units reconcile': shows(),
  'webhooks show': changes('webhook.create_secret', 'acme'),
  'webhooks rotate': changes('webhook.rotate_secret', 'acme'),
  'webhooks deliveries': shows('acme'),
  'webhooks replay': {
    action: 'webhook.replay',
    words: () => [service.client.client_id, ids.delivery_id],
    prepare: endDelivery,
  },
  'tal add': changes('list.add', 'by-command.example'),
  'tal list': shows(),
  'tal remove': changes('list.remove', 'by-command.example'),
  'tal enrich': changes('task.submit', '--force'),
  'tal import': {
    action: 'list.add',
    words: () => [sheet(), '--yes'],
    prepare: () => writeFile(sheet(), 'domain\nimported-by-command.example\n'),
  },
  'tal export': { action: null, words: () => [join(folder, 'list.csv')] },
  'company enrich': changes('task.submit', 'by-command.example'),
  'company show': shows(ids.domain),
  'task show': { action: null, words: () => [ids.task_id] },
  'privacy erase': {
    action: 'person.erase',
    words: () => ['joan@kept.example', '--yes'],
    prepare: storePerson('joan@kept.example'),
  },
  'privacy export': { action: 'person.export', words: () => ['joan@kept.example'], isChange: false },
  'privacy list': { action: 'person.list_suppressed', isChange: false },
  'privacy lift': { action: 'person.lift', words: () => [made.erasure, '--yes'] },
  'firms import': {
    action: 'firms.import',
    words: () => [roster(), '--allow-gone', '100%', '--as-of', '2026-06-01'],
    prepare: () => writeSampleRoster(roster(), { firms: 3 }),
  },
  'firms undo-import': changes('firms.undo_import'),
  'firms import-schedules': {
    action: 'firms.import_schedules',
    words: () => [join(folder, 'ADV_Filing_Data.zip')],
    prepare: () => zipFile(join(folder, 'ADV_Filing_Data.zip'), SCHEDULES),
  },
  'firms query': shows('--select', 'legal_name'),
  'audit list': shows(),
  console: { action: 'session.create_link', prepare: () => run(['console']) },
  // The last one, because its worker also changes tasks of the others.
  enrich: {
    action: 'task.submit',
    words: () => [sheet(), '--out', join(folder, 'enriched.csv'), '--yes'],
    prepare: async () => {
      await writeFile(sheet(), 'domain\nenriched-by-command.example\n')
      worker = startWorkerOn(service, findsAs())
    },
  },
}

const SCHEDULES = {
  'IA_ADV_Base_A.csv': 'FilingID,DateSubmitted,1A,1E1\r\n1,06/01/2026 09:00:00 AM,"LISTED LLC",4711\r\n',
  'IA_Schedule_A_B.csv':
    'FilingID,SchA-3,Schedule,Full Legal Name,DE/FE/I,Entity in Which,Title or Status,Status Acquired,Ownership Code,Control Person,PR,OwnerID\r\n' +
    '1,,A,"ROE, SAM",I,,PRESIDENT,01/2020,NA,Y,N,\r\n',
}

interface WarehouseCommand {
  actions: string[]
  words?: string[]
  prepare?: () => Promise<unknown>
}

async function setBackfill(state: string, parts: string): Promise<void> {
  await sql`update sync.backfill set state = ${state}, ended_at = null`.execute(warehouse.db)
  await sql`update sync.backfill_part set state = ${parts}`.execute(warehouse.db)
}

/** Every command that changes the warehouse or its snapshots, with the actions of its audit entries, in the order of a day. */
const WAREHOUSE_COMMANDS: Record<string, WarehouseCommand> = {
  run: { actions: ['run.start'], words: ['staleness'] },
  repair: { actions: ['run.start'], words: ['members'], prepare: () => run(['verify', 'members']) },
  replay: { actions: ['run.start'], words: ['members'], prepare: () => run(['run', 'tal-members']) },
  'backfill plan': { actions: ['backfill.plan'], words: ['members'] },
  'backfill pause': {
    actions: ['backfill.pause'],
    words: ['1'],
    prepare: () => setBackfill('running', 'pending'),
  },
  'backfill resume': { actions: ['backfill.resume', 'run.start'], words: ['1'] },
  'backfill run': { actions: ['run.start'], words: ['1'], prepare: () => setBackfill('planned', 'pending') },
  'backfill retry-failed': {
    actions: ['backfill.retry_failed', 'run.start'],
    words: ['1'],
    prepare: () => setBackfill('failed', 'failed'),
  },
  'snapshot create': { actions: ['snapshot.create'] },
  'snapshot expire': { actions: ['snapshot.expire'] },
}

/**
 * Commands that read, manage processes or copy whole databases, and the password of the analyst, which all databases of
 * a server share.
 */
const OTHERS =
  /^(up|serve|doctor|work|schedule|demo|migrate|alerts test|runs \w+|status|backfill list|checks|verify|snapshot (list|verify|diff)|backup \w+|restore|query|psql|analyst reset-password|task wait|completion)$/

describe('every command', () => {
  it('writes one audit entry exactly if it changes the service', async () => {
    const names = COMMANDS.flatMap((entry) =>
      'commands' in entry ? entry.commands.map(({ name }) => `${entry.name} ${name}`) : [entry.name],
    )
    const audited = [...Object.keys(COMMAND_LINES), ...Object.keys(WAREHOUSE_COMMANDS)]
    expect(audited.sort(), 'add new commands to COMMAND_LINES or WAREHOUSE_COMMANDS').toEqual(
      names.filter((name) => !OTHERS.test(name)).sort(),
    )
    for (const [name, { action, words = () => [], prepare, ...expected }] of Object.entries(COMMAND_LINES)) {
      await prepare?.()
      const work = async () => {
        const result = await run([...name.split(' '), ...words()])
        if (name === 'keys create') made.key = result['key_id'] as string
        if (name === 'keys rotate') made.rotated = (result['created'] as Record<string, string>)['key_id'] as string
        if (name === 'privacy erase') made.erasure = String(result['erasure_id'])
      }
      await expectAudited(action, work, expected).catch((error: Error) => expect.fail(`${name}: ${error.message}`))
    }
  })

  it('writes its audit entries to the warehouse exactly if it changes the warehouse', async () => {
    const entries = async () => {
      const { rows } = await sql<{ action: string; result: string }>`
        select action, result from sync.audit_entry order by entry_id`.execute(warehouse.db)
      return rows
    }
    for (const [name, { actions, words = [], prepare }] of Object.entries(WAREHOUSE_COMMANDS)) {
      await prepare?.()
      const { length } = await entries()
      await run([...name.split(' '), ...words])
      const expected = actions.map((action) => ({ action, result: 'started' }))
      expect((await entries()).slice(length), name).toEqual(expected)
    }
    const { length } = await entries()
    for (const words of [['runs', 'list'], ['backfill', 'list'], ['checks'], ['status']]) await run(words)
    await expect(run(['backfill', 'pause', '1'])).rejects.toMatchObject({ code: 'conflict' })
    expect((await entries()).slice(length)).toEqual([{ action: 'backfill.pause', result: 'started' }])
  })

  it('is listed from both databases', async () => {
    const listed = async (...words: string[]) =>
      (await run(['audit', 'list', ...words])) as unknown as { database: string; action: string; at: string }[]
    expect(await listed('--action', 'backfill.plan')).toMatchObject([{ database: 'warehouse' }])
    expect(await listed('--action', 'units.grant')).toMatchObject([{ database: 'service' }])
    const all = await listed('--limit', '500')
    expect(new Set(all.map(({ database }) => database))).toEqual(new Set(['service', 'warehouse']))
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect(await listed('--limit', '2')).toEqual(all.slice(0, 2))
  })

  it('names the operating system user and the host', async () => {
    const [entry] = await listAudit(service.db, { action: 'client.update', limit: 1 })
    expect(entry).toMatchObject({
      actor: expect.stringMatching(/^user:\w+$/),
      key_id: null,
      address: expect.stringMatching(/./),
      target: 'acme',
      details: { name: 'Acme Partners' },
    })
  })
})

/** Runs a command in this process and returns its JSON. */
async function run(words: string[]): Promise<Record<string, unknown>> {
  const request = parseCommandLine(COMMANDS, words)
  if (request.kind !== 'run') throw new Error(`not a command: ${words.join(' ')}`)
  const config = loadConfig({
    TALHOUSE_DATA_DIR: folder,
    TALHOUSE_SERVICE_DATABASE_URL: service.postgres.url,
    TALHOUSE_WAREHOUSE_DATABASE_URL: warehouse.url,
    TALHOUSE_SERVICE_BASE_URL: service.url,
    TALHOUSE_PIPELINES_MEMBERS_KEEP_RAW: 'true',
    TALHOUSE_SERVICE_API_KEY: service.key,
    TALHOUSE_WEBHOOK_KEYS: WEBHOOK_KEYS.map((key) => key.toString('base64')).join(','),
  })
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const { signal } = new AbortController()
  const command = { config, log: silentLog, signal, json: true, out: createOutput(true, stdout, stderr) }
  const handler = await request.definition.load()
  await handler(command, request.args as never)
  stdout.end()
  return JSON.parse(await text(stdout))
}
