import { sql } from 'kysely'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveRequests } from '../../../pipelines/operations/serve-requests.ts'
import { exportSnapshot } from '../../../pipelines/snapshot/pipeline.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { SnapshotList, WarehouseComparisons } from '../../../src/contract/warehouse-trust.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { CHROMIUM, launchBrowser, watchErrors } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import { findPageFaults, signIn } from '../../helpers/console.ts'
import { testDatabase } from '../../helpers/database.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import { testOperations } from '../../helpers/operations.ts'
import type { Bench } from '../../helpers/pipeline.ts'
import { pipelineBench } from '../../helpers/pipeline.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">'

let warehouse: Postgres<WarehouseTables>
let service: TestService
let bench: Bench
let browser: Browser
let operator: BrowserContext
const stop = new AbortController()
let scheduler: Promise<void>

describe.skipIf(!CHROMIUM)('the trust page in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    warehouse = await testDatabase<WarehouseTables>('warehouse')
    const operations = testOperations(warehouse, { openSink: () => bench.deps.snapshots.open() })
    service = await startService({ warehouse: operations, consoleFolder: await BUILT_CONSOLE })
    await storeFirms(service.postgres, generateFirms(60))
    bench = await pipelineBench(service, {}, warehouse)
    await bench.run()
    for (const _ of [1, 2]) await bench.run({ pipeline: exportSnapshot })
    scheduler = serveRequests(bench.deps, stop.signal)
    browser = await launchBrowser()
    operator = await signIn(browser, service.url, service.key)
  })
  afterAll(async () => {
    await browser?.close()
    stop.abort()
    await scheduler
    await service[Symbol.asyncDispose]()
    await bench[Symbol.asyncDispose]()
  })

  it('the trust page finds an altered value, shows both values, and repairs the difference', async () => {
    const { rows } = await sql<{ sec_number: string; legal_name: string }>`
      update warehouse.firm set legal_name = ${HOSTILE} where firm_id = (select min(firm_id) from warehouse.firm)
      returning sec_number, (select legal_name from warehouse.firm order by firm_id limit 1) as legal_name`.execute(
      warehouse.db,
    )
    const page = await operator.newPage()
    const errors = watchErrors(page, service.url)
    await page.goto(`${service.url}/console/trust`)
    const firms = page.locator('section.card').filter({ has: page.getByRole('heading', { name: /^Firms/ }) })
    await firms.getByRole('button', { name: 'Compare now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Compare now' }).click()
    await firms.getByText('1 difference', { exact: true }).waitFor()
    await firms.getByText(rows[0]?.sec_number as string).waitFor()
    await firms.getByText('Legal name').click()
    await firms.getByRole('cell', { name: HOSTILE }).waitFor()
    await firms.getByRole('cell', { name: rows[0]?.legal_name as string, exact: true }).waitFor()
    await firms.getByRole('button', { name: 'Repair 1 difference' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Repair 1 difference' }).click()
    await firms.getByText('Repaired', { exact: true }).waitFor()
    const { body } = await service.call<WarehouseComparisons>('GET', '/v2/warehouse/comparisons')
    expect(body.comparisons).toMatchObject([{ dataset: 'firms', total: 1, repaired_at: expect.any(String) }])
    expect(await page.title()).toBe('Trust · talhouse')
    expect(errors).toEqual([])
    await page.close()
  })

  it('the trust page runs the checks on request, with examples of failures', async () => {
    await sql`update warehouse.firm set region = 'NOWHERE' where firm_id = (select max(firm_id) from warehouse.firm)`.execute(
      warehouse.db,
    )
    const page = await operator.newPage()
    await page.goto(`${service.url}/console/trust?tab=checks`)
    await page.getByText('The warehouse has not been checked yet').waitFor()
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('heading', { name: /^\d of \d+ checks failed$/ }).waitFor()
    await page.getByText('"region":"NOWHERE"').waitFor()
    await page.close()
  })

  it('the trust page shows rejected records, the manifest of a snapshot, and the changes of this client', async () => {
    await warehouse.db
      .insertInto('warehouse.quarantine')
      .values({
        entity: 'firm',
        fingerprint: crypto.randomUUID(),
        key: HOSTILE,
        reason: 'no name',
        record: '{}',
        run_id: 1,
      } as never)
      .execute()
    const page = await operator.newPage()
    await page.goto(`${service.url}/console/trust?tab=quarantine`)
    await page.getByText(HOSTILE).waitFor()
    await page.getByRole('link', { name: 'Snapshots' }).click()
    const { body } = await service.call<SnapshotList>('GET', '/v2/warehouse/snapshots')
    expect(body.snapshots).toMatchObject([{ latest: true }, { latest: false }])
    await page.getByRole('button', { name: body.snapshots[1]?.id as string }).click()
    await page.getByText(`talhouse snapshot diff ${body.snapshots[0]?.id} ${body.snapshots[1]?.id}`).waitFor()
    await page.getByRole('rowheader', { name: 'firm', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('cell', { name: 'run.start' }).first().waitFor()
    await page.close()
  })

  it('the trust page hides buttons for changes from a key without the scope admin, and the service refuses its requests', async () => {
    const { body } = await service.call<{ key: string }>('POST', '/v2/keys', {
      body: { label: 'reader', scopes: ['read', 'warehouse'] },
    })
    const reader = await signIn(browser, service.url, body.key)
    const page = await reader.newPage()
    await page.goto(`${service.url}/console/trust`)
    await page.getByRole('heading', { name: /^Members/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Compare now' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    const start = { body: { pipeline: 'repair-firms' }, key: body.key }
    expect(await service.call('POST', '/v2/warehouse/runs', start)).toMatchObject({ status: 403 })
    expect(await service.call('GET', '/v2/audit', { key: body.key })).toMatchObject({ status: 403 })
    await reader.close()
  })

  it('the console plans a backfill and shows its cost before it starts', async () => {
    const page = await operator.newPage()
    await page.goto(`${service.url}/console/runs`)
    await page.getByRole('link', { name: 'Backfills' }).click()
    await page.getByRole('button', { name: 'Plan a backfill' }).click()
    await page.getByLabel('Data').selectOption('firms')
    await page.getByRole('button', { name: 'Plan 1 backfill' }).click()
    await page.getByText(/^Planned: about \d+ requests?, 0 units\.$/).waitFor()
    await page.getByRole('button', { name: 'Start backfill 1' }).click()
    await page.getByText(/It sends about \d+ requests? and costs 0 units/).waitFor()
    await page.getByRole('button', { name: 'Start 1 backfill' }).click()
    await page.getByText('completed', { exact: true }).waitFor()
    await page.close()
  })

  it('the console shows the settings with their source, and the next ten nightly runs', async () => {
    const page = await operator.newPage()
    await page.goto(`${service.url}/console/settings?tab=effective`)
    const setting = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'http.port' }) })
    expect(await setting.innerText()).toMatch(/8080\s+default/)
    const unset = page.getByRole('row').filter({ hasText: 'pipelines.host.words.enrichment_status' })
    expect(await unset.innerText()).toMatch(/not set\s+default/)
    const secret = page.getByRole('row').filter({ hasText: 'TALHOUSE_SERVICE_API_KEY' })
    expect(await secret.innerText()).toMatch(/set, not shown\s+environment/)
    const table = page.getByRole('region', { name: 'Settings', exact: true })
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page.getByRole('link', { name: 'Nightly runs' }).click()
    const nights = page.getByRole('region', { name: 'Next nightly runs' }).getByRole('row')
    await nights.first().waitFor()
    expect(await nights.count()).toBe(11)
    await page.close()
  })

  it('the trust page has no accessibility violations and fits a width of 360 pixels, in light and dark mode', async () => {
    const paths = ['', '?tab=checks', '?tab=quarantine', '?tab=snapshots', '?tab=audit'].map((tab) => `/trust${tab}`)
    expect(await findPageFaults(operator, service.url, [...paths, '/runs/backfills'])).toEqual([])
  })
})
