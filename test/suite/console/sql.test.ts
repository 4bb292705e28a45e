import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { CHROMIUM, launchBrowser, watchErrors } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import { findPageFaults, signIn } from '../../helpers/console.ts'
import { testDatabase } from '../../helpers/database.ts'
import { testOperations } from '../../helpers/operations.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let warehouse: Postgres<WarehouseTables>
let service: TestService
let browser: Browser
let operator: BrowserContext

describe.skipIf(!CHROMIUM)('the SQL page in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    warehouse = await testDatabase<WarehouseTables>('warehouse')
    service = await startService({ warehouse: testOperations(warehouse), consoleFolder: await BUILT_CONSOLE })
    browser = await launchBrowser()
    operator = await signIn(browser, service.url, service.key)
  })
  afterAll(async () => {
    await browser?.close()
    await service[Symbol.asyncDispose]()
    await warehouse[Symbol.asyncDispose]()
  })

  const open = async (sql?: string): Promise<Page> => {
    const page = await operator.newPage()
    await page.goto(`${service.url}/console/sql${sql === undefined ? '' : `?sql=${encodeURIComponent(sql)}`}`)
    await page.getByText('tal_member').first().waitFor()
    return page
  }
  const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL', exact: true })

  it('the SQL page shows an answer as a table and as a chart, and saves the result as CSV', async () => {
    const page = await open("select 'n' || n as name, n * 10 as value from generate_series(1, 3) n")
    const errors = watchErrors(page, service.url)
    await editor(page).press('Control+Enter')
    await page.getByText('3 rows in').waitFor()
    await page.getByRole('cell', { name: 'n3' }).waitFor()
    await page.getByRole('button', { name: 'Show a chart' }).click()
    const bars = page.getByRole('table', { name: 'value' })
    expect(await bars.getByRole('row').last().innerText()).toMatch(/n3\s+30/)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect(await readFile(await (await downloading).path(), 'utf8')).toBe('name,value\r\nn1,10\r\nn2,20\r\nn3,30\r\n')
    expect(errors).toEqual([])
    await page.close()
  })

  it('the SQL page offers the thirty documented questions, and runs the chosen one', async () => {
    const page = await open()
    const choice = page.getByLabel('Documented questions')
    expect(await choice.locator('option').count()).toBe(31)
    await choice.selectOption({ label: '2. Which advisers are the largest?' })
    await page.getByRole('heading', { name: 'No rows' }).waitFor()
    expect(await editor(page).inputValue()).toContain('select legal_name, state, aum_total_usd')
    await page.close()
  })

  it('the SQL page completes tables, and columns of the named tables, with the keyboard', async () => {
    const page = await open('')
    await editor(page).pressSequentially('select f.\nfrom fir')
    await page.getByRole('option', { name: /^warehouse\.firm table$/ }).waitFor()
    await page.keyboard.press('Tab')
    await editor(page).pressSequentially(' f where f.aum_t')
    await page.getByRole('option', { name: /^aum_total_usd/ }).waitFor()
    await page.keyboard.press('Enter')
    expect(await editor(page).inputValue()).toContain('warehouse.firm f where f.aum_total_usd')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BUTTON')
    await page.close()
  })

  it('the SQL page explains an error, cancels a long query, and cannot change data', async () => {
    const page = await open('delete from warehouse.firm')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').getByText('syntax error').waitFor()
    await editor(page).fill('select count(*) from generate_series(1, 100000000000)')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('No result yet').waitFor()
    await page.close()
  })

  it('the SQL page shows hostile values as text, and exports them so that a spreadsheet does not evaluate them', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    const page = await open(`select '${markup}' as a, '=1+1' as b, 'safe\u202Efdp' as c, repeat('A', 10000) as d`)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('cell', { name: markup }).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    const text = await page.getByRole('region', { name: 'Result' }).innerText()
    expect(text).not.toContain('\u202e')
    expect(text.length).toBeLessThan(1_000)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect(await readFile(await (await downloading).path(), 'utf8')).toContain(`,'=1+1,`)
    await page.close()
  })

  it('the SQL page renders only the visible rows of a long result', async () => {
    const page = await open('select n from generate_series(1, 1000) n')
    await page.getByRole('button', { name: 'Run' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('cell', { name: '1', exact: true }).waitFor()
    expect(await result.getByRole('row').count()).toBeLessThan(120)
    await result.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await result.getByRole('cell', { name: '1,000', exact: true }).waitFor()
    await page.close()
  })

  it('the SQL page has no accessibility violations and fits a width of 360 pixels, in light and dark mode', async () => {
    expect(await findPageFaults(operator, service.url, ['/sql'])).toEqual([])
  })
})
