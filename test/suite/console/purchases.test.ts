import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnsweredService } from '../../helpers/answered-service.ts'
import { startAnsweredService } from '../../helpers/answered-service.ts'
import { CHROMIUM, launchBrowser } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import { signIn } from '../../helpers/console.ts'
import type { TestCaller } from '../../helpers/service.ts'

let answered: AnsweredService
let browser: Browser
let url: string

const balance = async (caller: TestCaller) => (await caller.call('GET', '/v2/usage')).body['units_remaining']
const addAccount = (caller: TestCaller, domain: string) =>
  caller.call('POST', '/v2/clients/me/tal/companies', { body: { domains: [domain] } })

describe.skipIf(!CHROMIUM)('purchases in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    answered = await startAnsweredService({ consoleFolder: await BUILT_CONSOLE })
    url = answered.service.url
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await answered[Symbol.asyncDispose]()
  })

  it('the console refuses a quote whose price has risen, and charges the new quote once', async () => {
    const caller = await answered.service.addCaller({ units_per_period: 10 })
    await addAccount(caller, 'early.example')
    const context = await signIn(browser, url, caller.key)
    const page = await context.newPage()
    await page.goto(`${url}/console/accounts`)
    await page.getByRole('button', { name: 'Enrich stale accounts' }).click()
    const confirm = page.getByRole('button', { name: 'Spend 1 unit', exact: true })
    await confirm.waitFor()
    await addAccount(caller, 'late.example')
    await confirm.click()
    await page.getByText(/^The price is now 2 units, but quote .+ is for 1\. Request a new quote\.$/).waitFor()
    expect(await balance(caller)).toBe(10)
    await page.getByRole('button', { name: 'Request a new quote' }).click()
    await page.getByRole('button', { name: 'Spend 2 units' }).dblclick()
    await page.getByText(/Enrichment completed: 2 units charged/).waitFor()
    const { body } = await caller.call<{ tasks: { units_charged: number }[] }>('GET', '/v2/tasks')
    expect(body.tasks.map(({ units_charged }) => units_charged)).toEqual([2])
    await context.close()
  })

  it('the console shows a quote that another user created, and purchases it once', async () => {
    const caller = await answered.service.addCaller({ units_per_period: 10 })
    const request = { batch: { domains: ['elm.example', 'fir.example'], emails: ['ada@elm.example'] } }
    const { body } = await caller.call<{ quote_id: string }>('POST', '/v2/quotes', { body: request })
    const context = await signIn(browser, url, caller.key)
    const page = await context.newPage()
    await page.goto(`${url}/console/quotes/${body.quote_id}`)
    const items = page.getByRole('region', { name: 'Items' })
    await items.getByText('ada@elm.example').waitFor()
    expect(await items.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Company\s+Person\s+Units/),
      expect.stringMatching(/elm\.example\s+.*\s*1/),
      expect.stringMatching(/fir\.example\s+.*\s*1/),
      expect.stringMatching(/elm\.example\s+ada@elm\.example\s+1/),
    ])
    await page.getByRole('button', { name: 'Purchase for 3 units' }).click()
    await page.getByRole('button', { name: 'Spend 3 units' }).dblclick()
    await page.waitForURL(/\/console\/tasks\//)
    await page.goto(`${url}/console/quotes/${body.quote_id}`)
    await page.getByText(/was purchased for 3 units/).waitFor()
    expect(await page.getByRole('button', { name: /Purchase for/ }).count()).toBe(0)
    const { body: tasks } = await caller.call<{ tasks: { units_charged: number }[] }>('GET', '/v2/tasks')
    expect(tasks.tasks.map(({ units_charged }) => units_charged)).toEqual([3])
    await context.close()
  })

  it('the console purchases the quote of the current selection when an earlier quote arrives late', async () => {
    const caller = await answered.service.addCaller({ units_per_period: 10 })
    await addAccount(caller, 'oak.example')
    const context = await signIn(browser, url, caller.key)
    const page = await context.newPage()
    const late = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<unknown>()
    await page.route(
      '**/v2/quotes',
      async (route) => {
        const response = await route.fetch()
        await late.promise
        // The page may have cancelled the request.
        ended.resolve(await route.fulfill({ response }).catch((reason: unknown) => reason))
      },
      { times: 1 },
    )
    await page.goto(`${url}/console/companies/oak.example`)
    await page.getByRole('button', { name: 'Enrich', exact: true }).click()
    await page.getByLabel('Also find news signals').check()
    await page.getByLabel('Even if the data is fresh').check()
    const confirm = page.getByRole('button', { name: 'Spend 4 units' })
    await confirm.waitFor()
    late.resolve()
    await ended.promise
    await confirm.click()
    await page.getByText(/Enrichment completed: 4 units charged/).waitFor()
    expect(await balance(caller)).toBe(6)
    await context.close()
  })
})
