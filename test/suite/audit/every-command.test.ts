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
import { loadConfig } from '../../../src/config/load.ts'
import { writeSampleRoster } from '../../../src/form-adv/sample-roster.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { currentSecret } from '../../../src/webhooks/secrets.ts'
import { TEST_ACTOR } from '../../helpers/clients.ts'
import { testDatabase } from '../../helpers/database.ts'
import type { TestService } from '../../helpers/service.ts'
import { WEBHOOK_KEYS } from '../../helpers/webhook-keys.ts'
import { findsAs, startWorkerOn } from '../../helpers/work.ts'
import { zipFile } from '../../helpers/zip-file.ts'
import { DOMAIN, endDelivery, expectAudited, startAuditedService, storePerson } from './expect-audited.ts'

let service: TestService
let warehouse: Postgres<unknown>
let folder: string
let worker: AsyncDisposable | undefined
let taskId: string
beforeAll(async () => {
  warehouse = await testDatabase('warehouse')
  service = await startAuditedService()
  folder = await mkdtemp(join(tmpdir(), 'talhouse-audit-'))
  await service.call('POST', '/v2/clients/me/tal/companies', { body: { domains: [DOMAIN] } })
  const { body } = await service.call('POST', '/v2/enrich/company', { body: { domain: DOMAIN } })
  taskId = body['task_id'] as string
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await warehouse[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

interface CommandLine {
  action: string | null
  /** The command's arguments. */
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

/** All commands that use the service, in a realistic order. */
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
    words: () => [service.client.client_id, taskId],
    prepare: () => endDelivery(service, taskId),
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
  'company show': shows(DOMAIN),
  'task show': { action: null, words: () => [taskId] },
  'privacy erase': {
    action: 'person.erase',
    words: () => ['joan@kept.example', '--yes'],
    prepare: () => storePerson(service.db, taskId, 'joan@kept.example'),
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
  // This command runs last, because its worker also changes the tasks of earlier commands.
  enrich: {
    action: 'task.submit',
    words: () => [sheet(), '--out', join(folder, 'enriched.csv'), '--yes'],
    prepare: async () => {
      await writeFile(sheet(), 'domain\nenriched-by-command.example\n')
      // The worker delivers webhooks of earlier tasks, and would create the secret while the command runs.
      await currentSecret(service.db, service.client.client_id, WEBHOOK_KEYS, TEST_ACTOR)
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

/**
 * All commands that change the warehouse or its snapshots, with the actions of their audit entries, in a realistic
 * order.
 */
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
 * Commands that read, manage processes, copy whole databases, or change the analyst and modeler roles, which all
 * databases of a server share.
 */
const OTHERS =
  /^(up|serve|mcp|doctor|work|schedule|demo|migrate|alerts test|runs \w+|status|backfill list|checks|verify|snapshot (list|verify|diff)|backup \w+|restore|query|psql|analyst (reset-password|create-modeler)|task wait|completion)$/

describe('every command', () => {
  it('every command writes one audit entry if and only if it changes the service', async () => {
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
      await expectAudited(service.db, action, work, expected).catch((error: Error) =>
        expect.fail(`${name}: ${error.message}`),
      )
    }
  })

  it('every command writes audit entries to the warehouse if and only if it changes the warehouse', async () => {
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

  it('lists audit entries from both databases', async () => {
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

  it('names the operating system user and the host in the audit entries of commands', async () => {
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
    TALHOUSE_PIPELINES_KEEP_RAW: 'true',
    TALHOUSE_SERVICE_API_KEY: service.key,
    TALHOUSE_WEBHOOK_KEYS: WEBHOOK_KEYS.map((key) => key.toString('base64')).join(','),
  })
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const { signal } = new AbortController()
  const out = createOutput(true, stdout, stderr)
  const command = { config, log: silentLog, signal, out, createsDatabases: false, json: true }
  const handler = await request.definition.load()
  await handler(command, request.args as never)
  stdout.end()
  return JSON.parse(await text(stdout))
}
