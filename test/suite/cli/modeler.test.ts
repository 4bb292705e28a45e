import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { analystAddress } from '../../../src/cli/support/access/analyst-login.ts'
import type { DatabaseUrls } from '../../../src/cli/support/access/embedded-access.ts'
import { prepareEmbedded } from '../../../src/cli/support/access/embedded-access.ts'
import type { ModelerLogin } from '../../../src/cli/support/access/modeler.ts'
import { createModelerLogin } from '../../../src/cli/support/access/modeler.ts'
import { pendingAccess, prepareDatabase } from '../../../src/cli/support/access/prepare.ts'
import { startEmbeddedPostgres } from '../../../src/lib/embedded-postgres/server.ts'
import { systemCode } from '../../../src/lib/errors.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import { openPostgres, withClient, withDatabase } from '../../../src/lib/postgres.ts'
import { WAREHOUSE_ROWS } from '../../helpers/warehouse-rows.ts'

const OPTIONS = { log: silentLog, analystPassword: undefined, auditRetentionDays: 730 }
const MODELS = join(import.meta.dirname, '../../../dbt/models')
const DENIED = '42501'

const stack = new AsyncDisposableStack()
let warehouse: DatabaseUrls
let analyst: string
let modeler: ModelerLogin

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-modeler-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const server = stack.use(await startEmbeddedPostgres({ dataDir, port: 0 }))
  warehouse = await prepareEmbedded(server.url('postgres'), 'warehouse')
  expect(await prepareDatabase('warehouse', warehouse, OPTIONS)).toEqual([])
  await using runtime = openPostgres(warehouse.runtime, { log: silentLog, name: 'test' })
  analyst = await analystAddress(runtime)
  modeler = await createModelerLogin(warehouse.admin)
  await withClient(warehouse.owner, (client) => client.query(WAREHOUSE_ROWS))
})
afterAll(() => stack.disposeAsync())

/** Returns a statement's rows, or the error code. */
const attempt = (url: string, statement: string): Promise<unknown> =>
  withClient(url, async (client) => {
    await client.query('set default_transaction_read_only = off')
    return await client.query(statement).then(({ rows }) => rows, systemCode)
  })

describe('the modeler', () => {
  it('setting up the modeler requires no SQL from an administrator, at the first start or later', async () => {
    expect(modeler.pending).toEqual([])
    expect(await pendingAccess('warehouse', warehouse, OPTIONS)).toEqual([])
  })

  it('the modeler builds the dbt models, which analysts can read but not change', async () => {
    for (const statement of await compiledModels()) expect(await attempt(modeler.url, statement)).toEqual([])
    expect(
      await attempt(analyst, 'select domain, contacts, leaders, signals, assets_usd::text from models.accounts'),
    ).toEqual([{ domain: 'acme.example', contacts: '2', leaders: '1', signals: '1', assets_usd: '5000000000' }])
    expect(await attempt(analyst, 'select * from models.assets_by_state')).toEqual([
      { state: 'NY', firms: '1', assets_usd: '5000000000' },
    ])
    for (const statement of [
      'delete from models.accounts',
      'drop table models.accounts',
      'create table models.mine (id integer)',
      'create view models.mine as select 1',
      `insert into bi.account (domain) values ('x')`,
    ])
      expect(await attempt(analyst, statement), statement).toBeOneOf([DENIED, '55000', '0A000'])
  })

  it("the modeler cannot write outside its schema or read the pipelines' state", async () => {
    for (const statement of [
      'delete from warehouse.firm',
      `update warehouse.company set name = 'x'`,
      'create table warehouse.mine (id integer)',
      'create table public.mine (id integer)',
      'create table bi.mine (id integer)',
      'select * from sync.analyst_login',
      'select * from sync.run',
      'set role talhouse_warehouse',
      'select pg_terminate_backend(pg_backend_pid())',
      'do $$ begin perform 1; end $$',
    ])
      expect(await attempt(modeler.url, statement), statement).toBe(DENIED)
    const other = withDatabase(modeler.url, 'postgres')
    await expect(attempt(other, 'select 1')).rejects.toMatchObject({ code: DENIED })
  })

  it('the modeler receives a new password when it is created again, and keeps its tables', async () => {
    const again = await createModelerLogin(warehouse.admin)
    expect(again.pending).toEqual([])
    await expect(attempt(modeler.url, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    expect(await attempt(again.url, 'select count(*)::integer as rows from models.accounts')).toEqual([{ rows: 1 }])
  })
})

describe('the views for BI tools', () => {
  it('the views for BI tools show accounts, contacts, signals and advisers to the analyst', async () => {
    expect(
      await attempt(
        analyst,
        'select account_name, owner, tier, contacts, leaders, signals, assets_usd::text from bi.account',
      ),
    ).toEqual([
      {
        account_name: 'Acme',
        owner: 'kim',
        tier: '1',
        contacts: '2',
        leaders: '1',
        signals: '1',
        assets_usd: '5000000000',
      },
    ])
    expect(await attempt(analyst, 'select full_name, account_owner from bi.contact order by 1')).toEqual([
      { full_name: 'Ann Lee', account_owner: 'kim' },
      { full_name: 'Bob Roe', account_owner: 'kim' },
    ])
    expect(await attempt(analyst, 'select signal_type, account_name from bi.signal')).toEqual([
      { signal_type: 'Funding', account_name: 'Acme' },
    ])
    expect(await attempt(analyst, 'select adviser_name, domain from bi.adviser')).toEqual([
      { adviser_name: 'ACME ADVISERS LLC', domain: 'acme.example' },
    ])
  })
})

const CONFIG = /\{\{ config\(materialized='(\w+)'\) \}\}/

/** Compiles the dbt models to statements, in the order of their references. */
async function compiledModels(): Promise<string[]> {
  const statements: string[] = []
  for (const folder of ['staging', 'marts'])
    for (const file of await readdir(join(MODELS, folder))) {
      const text = await readFile(join(MODELS, folder, file), 'utf8')
      const compiled = text
        .replace(CONFIG, '')
        .replaceAll(/\{\{ ref\('(\w+)'\) \}\}/g, 'models.$1')
        .replaceAll(/\{\{ source\('(\w+)', '(\w+)'\) \}\}/g, '$1.$2')
      const kind = folder === 'staging' || CONFIG.exec(text)?.[1] === 'view' ? 'view' : 'table'
      statements.push(`create ${kind} models.${basename(file, '.sql')} as ${compiled}`)
    }
  return statements
}
