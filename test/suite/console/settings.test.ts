import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { SCOPES } from '../../../src/contract/scopes.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { CHROMIUM, launchBrowser, watchErrors } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import { findPageFaults, signIn } from '../../helpers/console.ts'
import { testDatabase } from '../../helpers/database.ts'
import { testOperations } from '../../helpers/operations.ts'
import type { TestCaller, TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let warehouse: Postgres<WarehouseTables>
let service: TestService
let customer: TestCaller
let browser: Browser
let operator: BrowserContext

describe.skipIf(!CHROMIUM)('the settings page in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    warehouse = await testDatabase<WarehouseTables>('warehouse')
    service = await startService({ warehouse: testOperations(warehouse), consoleFolder: await BUILT_CONSOLE })
    customer = await service.addCaller({ name: '<img src=x onerror=alert(1)>', units_per_period: 100 })
    browser = await launchBrowser()
    operator = await signIn(browser, service.url, service.key)
  })
  afterAll(async () => {
    await browser?.close()
    await service[Symbol.asyncDispose]()
    await warehouse[Symbol.asyncDispose]()
  })

  it('the settings page has no accessibility violations and fits a width of 360 pixels, in light and dark mode', async () => {
    const places = [
      { path: '/settings', dialogs: ['Change <img', 'Grant units to <img'] },
      { path: '/settings?tab=nights', dialogs: ['Change the budget'] },
      '/settings?tab=effective',
    ]
    expect(await findPageFaults(operator, service.url, places)).toEqual([])
  })

  it('the settings page changes the budget, grants units and changes a plan, after a confirmation that names the number', async () => {
    const page = await operator.newPage()
    const errors = watchErrors(page, service.url)
    await page.goto(`${service.url}/console/settings`)
    await page.getByRole('link', { name: 'Nightly runs' }).click()
    await page.getByRole('button', { name: 'Change the budget' }).click()
    await page.getByLabel('Maximum units per night').fill('1250')
    await page.getByRole('button', { name: 'Spend at most 1,250 units per night' }).click()
    await page.getByText('at most 1,250').waitFor()
    await page.getByRole('button', { name: 'Reset the budget' }).click()
    await page.getByRole('button', { name: 'Use the settings' }).click()
    await page.getByText('at most 1,000').waitFor()

    await page.getByRole('link', { name: 'Clients' }).click()
    const row = page.getByRole('row', { name: customer.client.client_id })
    await row.getByRole('button', { name: /^Grant units/ }).click()
    await page.getByLabel('Units (negative').fill('5000')
    await page.getByLabel('Reason').fill('invoice 117')
    await page.getByRole('button', { name: 'Grant 5,000 units' }).click()
    await row.getByText('5,100').waitFor()

    await row.getByRole('button', { name: /^Change/ }).click()
    await page.getByLabel('Units per period').fill('200000')
    await page.getByLabel('The balance may go below zero').check()
    await page.getByRole('button', { name: 'Set 200,000 units per period and 1 other change' }).click()
    await row.getByText('200,000').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(errors).toEqual([])
    await page.close()
    const { body } = await customer.call('GET', '/v2/usage')
    expect(body).toMatchObject({ units_remaining: 5_100 })
  })

  it('the settings page hides the clients, and the buttons of the budget, from a key that may not change them', async () => {
    const { key } = await createApiKey(service.db, service.client.client_id, {
      scopes: SCOPES.filter((scope) => scope !== 'clients'),
    })
    const colleague = await signIn(browser, service.url, key)
    const page = await colleague.newPage()
    await page.goto(`${service.url}/console/settings`)
    await page.getByRole('heading', { name: 'Nightly budget' }).waitFor()
    expect(await page.getByRole('link', { name: 'Clients' }).count()).toBe(0)
    await colleague.close()
  })
})
