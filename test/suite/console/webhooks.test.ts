import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnsweredService } from '../../helpers/answered-service.ts'
import { resultOf, startAnsweredService, submit } from '../../helpers/answered-service.ts'
import { CHROMIUM, launchBrowser, watchErrors } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import { findPageFaults, signIn } from '../../helpers/console.ts'

let answered: AnsweredService
let browser: Browser
let owner: BrowserContext

describe.skipIf(!CHROMIUM)('the webhooks page in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    answered = await startAnsweredService({ consoleFolder: await BUILT_CONSOLE })
    const { service } = answered
    const body = { domain: 'acme.example', callback_url: 'http://127.0.0.1:1/<img src=x onerror=alert(1)>' }
    await resultOf(service, (await submit(service, '/v2/enrich/company', body)).task_id)
    await service.db
      .updateTable('webhook_delivery')
      .set({ state: 'failed', next_attempt_at: null, ended_at: new Date().toISOString() })
      .execute()
    browser = await launchBrowser()
    owner = await signIn(browser, service.url, service.key)
  })
  afterAll(async () => {
    await browser?.close()
    await answered[Symbol.asyncDispose]()
  })

  it('the webhooks page has no accessibility violations and fits a width of 360 pixels, in light and dark mode', async () => {
    expect(await findPageFaults(owner, answered.service.url, ['/webhooks'])).toEqual([])
  })

  it('the webhooks page shows a failed delivery, and resends it after a confirmation', async () => {
    const page = await owner.newPage()
    const errors = watchErrors(page, answered.service.url)
    await page.goto(`${answered.service.url}/console/webhooks`)
    await page.getByText('failed', { exact: true }).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await page.getByRole('button', { name: /^Resend/ }).click()
    await page.getByRole('button', { name: 'Resend 1 delivery' }).click()
    await page.getByText('1 delivery will be resent.').waitFor()
    expect(errors).toEqual([])
    await page.close()
  })
})
