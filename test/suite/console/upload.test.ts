import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TalPage } from '../../../src/contract/tal.ts'
import type { Task } from '../../../src/contract/tasks.ts'
import type { AnsweredService } from '../../helpers/answered-service.ts'
import { balance, startAnsweredService } from '../../helpers/answered-service.ts'
import { CHROMIUM, launchBrowser, watchErrors } from '../../helpers/browser.ts'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import { findPageFaults, signIn } from '../../helpers/console.ts'

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">'
const FILE = [
  'Company,Website,Owner',
  'Acme Capital,,Ann',
  ',https://birch.example/about,=1+1',
  'Brackenfold Beacon Partners,oak.example,Bob',
  `"${HOSTILE.replaceAll('"', '""')}",n/a,`,
  ',www.birch.example,Zed',
].join('\n')

let answered: AnsweredService
let browser: Browser
let owner: BrowserContext

describe.skipIf(!CHROMIUM)('the upload page in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    answered = await startAnsweredService({ consoleFolder: await BUILT_CONSOLE })
    for (const domain of ['acme.example', 'birch.example']) answered.answers.known.set(domain, { name: domain })
    await answered.service.db
      .insertInto('company')
      .values([
        { domain: 'acme.example', name: 'Acme Capital', is_public: true },
        { domain: 'brackenfold.example', name: 'Brackenfold Beacon Partners', is_public: true },
        { domain: 'oak.example', name: 'Oak Harbor Advisors', is_public: true },
      ])
      .execute()
    browser = await launchBrowser()
    owner = await signIn(browser, answered.service.url, answered.service.key)
  })
  afterAll(async () => {
    await browser?.close()
    await answered[Symbol.asyncDispose]()
  })

  it('the upload page previews a file, adds matched and accepted rows, enriches them after a quote, and returns them as CSV', async () => {
    const { service } = answered
    const page = await owner.newPage()
    const errors = watchErrors(page, service.url)
    await page.goto(`${service.url}/console/accounts`)
    await page.getByRole('link', { name: 'Upload a CSV file' }).click()
    const file = { name: 'accounts.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Add 2 companies' }).waitFor()
    expect((await service.call<{ total: number }>('GET', '/v2/clients/me/tal/companies')).body.total).toBe(0)
    await page.getByText(`${HOSTILE}, n/a`).waitFor()
    await page.getByText('The same company as row 3').waitFor()
    await page.getByLabel('Accept row 4').check()
    await page.getByRole('button', { name: 'Add 3 companies' }).click()
    await page.getByText('3 companies added').waitFor()
    const before = await balance(service)
    await page.getByRole('button', { name: 'Enrich 3 companies' }).click()
    await page.getByRole('button', { name: 'Spend 3 units' }).click()
    await page.getByText(/Enrichment completed: 3 units charged/).waitFor()
    expect(await balance(service)).toBe(before - 3)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the list as CSV' }).click()
    const rows = parse<Record<string, string>>(await readFile(await (await downloading).path(), 'utf8'), {
      columns: true,
      bom: true,
    })
    expect(rows.map((row) => [row['domain'], row['Owner']])).toEqual([
      ['acme.example', 'Ann'],
      ['birch.example', "'=1+1"],
      ['oak.example', 'Bob'],
    ])
    await page.getByRole('button', { name: 'Upload another file' }).click()
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Add 2 companies' }).click()
    await page.getByText('0 companies added, 2 already on the list.').waitFor()
    expect(await page.title()).toBe('Upload a CSV file · talhouse')
    expect(errors).toEqual([])
    await page.close()
  })

  it('the upload page reads columns with other headings after the user has chosen them, and shows rows without a company', async () => {
    const { service } = answered
    const page = await owner.newPage()
    await page.goto(`${service.url}/console/accounts/upload`)
    // Windows-1252, separated by semicolons.
    const rows = ['Kundenname;Webseite;Zuständig', 'Müller;fir.example;Jürgen', 'Acme Capital;;Renée', ';;', ';;Zoë']
    const buffer = Buffer.from(rows.join('\r\n'), 'latin1')
    await page.getByLabel('CSV file').setInputFiles({ name: 'crm.csv', mimeType: 'text/csv', buffer })
    const row = page.getByRole('region', { name: 'Rows' }).getByRole('row')
    await row.filter({ hasText: 'Acme Capital, Renée' }).getByText('The row has no domain and no name.').waitFor()
    await page.getByRole('button', { name: 'Add 1 company' }).waitFor()
    await page.getByLabel('Name column').selectOption('Kundenname')
    await page.getByRole('button', { name: 'Add 2 companies' }).click()
    await page.getByText('1 company added, 1 already on the list (1 with new values).').waitFor()
    const { body } = await service.call<TalPage>('GET', '/v2/clients/me/tal/companies?domain=fir.example')
    expect(body.companies[0]?.attributes).toEqual({ Kundenname: 'Müller', Zuständig: 'Jürgen' })
    await page.close()
  })

  it('the upload page imports and enriches a file with more rows than a request may have', async () => {
    const { service } = answered
    const page = await owner.newPage()
    await page.goto(`${service.url}/console/accounts/upload`)
    // A quoted line break does not end a row. Each company has two rows, some of them in different requests.
    const rows = Array.from({ length: 2_100 }, (_, index) => `bulk${index % 1_050}.example,"line one\nline two"`)
    const buffer = Buffer.from(['Website,Note', ...rows].join('\n'))
    await page.getByLabel('CSV file').setInputFiles({ name: 'bulk.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Add 1,050 companies' }).click()
    await page.getByText('1,050 companies added').waitFor()
    await page.getByRole('button', { name: 'Enrich 1,050 companies' }).click()
    await page.getByRole('button', { name: 'Spend 1,050 units' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { body } = await service.call<{ tasks: Task[] }>('GET', '/v2/tasks?limit=2')
    expect(body.tasks.map(({ units_charged }) => units_charged)).toEqual([50, 1_000])
    await page.close()
  }, 120_000)

  it('the upload page enriches on overage, and requests a new quote only for the batches that were not purchased', async () => {
    const { service } = answered
    const caller = await service.addCaller({ units_per_period: 500, overage_allowed: true })
    const context = await signIn(browser, service.url, caller.key)
    const page = await context.newPage()
    // Without events, the page polls. The first response differs from later responses.
    await page.route('**/v2/events', (route) => route.abort())
    await page.route(
      '**/v2/tasks/*',
      async (route) => {
        const response = await route.fetch()
        const unfinished = { status: 'running', progress: 0.4, completed_at: null }
        await route.fulfill({ response, json: { ...(await response.json()), ...unfinished } })
      },
      { times: 1 },
    )
    await page.goto(`${service.url}/console/accounts/upload`)
    const rows = Array.from({ length: 1_010 }, (_, index) => `over${index}.example`)
    const buffer = Buffer.from(['Website', ...rows].join('\n'))
    await page.getByLabel('CSV file').setInputFiles({ name: 'over.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Add 1,010 companies' }).click()
    await page.getByRole('button', { name: 'Enrich 1,010 companies' }).click()
    let purchases = 0
    await page.route('**/v2/quotes/*/purchase', async (route) => {
      purchases += 1
      if (purchases === 2)
        await route.fulfill({ status: 409, json: { status: 409, detail: 'The second quote has expired.' } })
      else await route.continue()
    })
    await page.getByRole('button', { name: 'Spend 1,010 units' }).click()
    await page.getByText('The second quote has expired.').waitFor()
    await page.getByText('Enriching, 40% done.').waitFor()
    await page.getByRole('button', { name: 'Request a new quote' }).click()
    await page.getByRole('button', { name: 'Spend 10 units' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Enriching, 40% done.').waitFor({ state: 'detached' })
    const { body } = await caller.call<{ tasks: Task[] }>('GET', '/v2/tasks')
    expect(body.tasks.map(({ units_charged }) => units_charged)).toEqual([10, 1_000])
    await context.close()
  }, 120_000)

  it('the upload page explains why it cannot read a file, and stays open', async () => {
    const page = await owner.newPage()
    await page.goto(`${answered.service.url}/console/accounts/upload`)
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
    await page.getByRole('alert').getByText('Request ID').waitFor()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await page.close()
  })

  it('the upload page has no accessibility violations and fits a width of 360 pixels, in light and dark mode', async () => {
    expect(await findPageFaults(owner, answered.service.url, ['/accounts/upload'])).toEqual([])
  })
})
