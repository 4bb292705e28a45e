import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, launchBrowser, watchErrors } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import { findPageFaults, signIn } from '../../helpers/console.ts'
import { generateFirms } from '../../helpers/invented-firms.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'
import { storeFirms } from '../../helpers/store-firms.ts'

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">'

let service: TestService
let browser: Browser
let operator: BrowserContext

describe.skipIf(!CHROMIUM)('the firms page in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    service = await startService({ consoleFolder: await BUILT_CONSOLE })
    await storeFirms(service.postgres, generateFirms(200))
    await service.postgres.pool.query(
      'update firm set legal_name = $1 where crd_number = (select crd_number from firm order by aum_total_usd desc nulls last limit 1)',
      [HOSTILE],
    )
    browser = await launchBrowser()
    operator = await signIn(browser, service.url, service.key)
  })
  afterAll(async () => {
    await browser?.close()
    await service[Symbol.asyncDispose]()
  })

  const open = async (query = ''): Promise<Page> => {
    const page = await operator.newPage()
    await page.goto(`${service.url}/console/firms${query}`)
    return page
  }

  it('the firms page filters the firms, shows the exact total and the sums by state, and keeps the query in the URL', async () => {
    const page = await open()
    const errors = watchErrors(page, service.url)
    await page.getByText('200 firms with').waitFor()
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Field of filter 1').selectOption('region')
    await page.getByLabel('Operator of filter 1').selectOption('in')
    await page.getByLabel('Value of filter 1').fill('NYRO, BRO')
    await page.getByLabel('Value of filter 1').press('Enter')
    const { rows } = await service.postgres.pool.query(
      "select count(*) as firms from firm where gone_as_of is null and region in ('NYRO', 'BRO')",
    )
    await page.getByText(`${rows[0].firms} firms with`).waitFor()
    await page.getByRole('table', { name: 'Assets by state' }).getByRole('row').nth(1).waitFor()
    await page.reload()
    await page.getByText(`${rows[0].firms} firms with`).waitFor()
    expect(await page.getByLabel('Value of filter 1').inputValue()).toBe('NYRO, BRO')
    expect(errors).toEqual([])
    await page.close()
  })

  it('the firms page pages through the firms, and exports all matching firms with the chosen columns', async () => {
    const page = await open('?columns=crd_number,legal_name')
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('link', { name: 'First' }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export 200 firms as CSV' }).click()
    const rows = parse(await readFile(await (await downloading).path(), 'utf8'), { columns: true })
    expect(rows).toHaveLength(200)
    expect(Object.keys(rows[0] as object)).toEqual(['crd_number', 'legal_name'])
    await page.close()
  })

  it('the firms page copies the query as a command, as SQL and as TypeScript', async () => {
    await operator.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await open(`?where=${encodeURIComponent('[["legal_name","contains","o\'b"]]')}&columns=legal_name`)
    const copied = async (kind: string) => {
      const button = page.getByRole('button', { name: `Copy as ${kind}` })
      await button.click()
      await button.filter({ hasText: 'Copied' }).waitFor()
      return await page.evaluate<string>('navigator.clipboard.readText()')
    }
    expect(await copied('SQL')).toContain("legal_name ilike '%o''b%'")
    expect(await copied('curl')).toContain(`"legal_name":["ilike.%o'\\''b%"]`)
    expect(await copied('TypeScript')).toContain('talhouse.firms.query({')
    await page.close()
  })

  it('the firms page shows a hostile name as text', async () => {
    const page = await open()
    await page.getByText(HOSTILE).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.title()).toBe('Firms · talhouse')
    await page.close()
  })

  it('the firms page has no accessibility violations and fits a width of 360 pixels, in light and dark mode', async () => {
    const where = encodeURIComponent('[["state","in","CA, NY"],["aum_total_usd","gte","1000000"]]')
    expect(await findPageFaults(operator, service.url, ['/firms', `/firms?where=${where}`])).toEqual([])
  })
})
