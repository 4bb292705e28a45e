import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, launchBrowser, watchErrors } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import { findPageFaults, signIn } from '../../helpers/console.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
let browser: Browser
let reader: BrowserContext

describe.skipIf(!CHROMIUM)('the reference in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    service = await startService({ consoleFolder: await BUILT_CONSOLE })
    browser = await launchBrowser()
    const { body } = await service.call<{ key: string }>('POST', '/v2/keys', {
      body: { label: 'reader', scopes: ['read'] },
    })
    reader = await signIn(browser, service.url, body.key)
  })
  afterAll(async () => {
    await browser?.close()
    await service[Symbol.asyncDispose]()
  })

  it('the reference lists all operations, or only those that the key may use', async () => {
    const page = await reader.newPage()
    const errors = watchErrors(page, service.url)
    await page.goto(`${service.url}/console/reference`)
    const operations = page.locator('details.operation')
    await operations.first().waitFor()
    const documented = Object.values(service.document.paths).flatMap((methods) => Object.keys(methods))
    expect(await operations.count()).toBe(documented.length)
    await page.getByLabel('Only operations that my key may use').check()
    await page.getByText('/v2/keys', { exact: true }).first().waitFor({ state: 'detached' })
    await page.getByLabel('Search operations').fill('firms summary')
    await page.getByText('/v2/firms/summary', { exact: true }).click()
    await page.getByRole('region', { name: 'Response: FirmSummary' }).getByText('by_state').waitFor()
    const command = await page.locator('details.operation pre.code').last().innerText()
    expect(command).toContain(`${service.url}/v2/firms/summary`)
    expect(command).toContain('"region":"eq.NYRO"')
    expect(errors).toEqual([])
    await page.close()
  })

  it('the reference has no accessibility violations and fits a width of 360 pixels, in light and dark mode', async () => {
    expect(await findPageFaults(reader, service.url, ['/reference', '/reference?search=firms'])).toEqual([])
  })
})
