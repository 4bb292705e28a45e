import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pipeline } from '../../../pipelines/runner/pipeline.ts'
import { createApiKey, revokeApiKey } from '../../../src/auth/api-keys.ts'
import { createSignInLink } from '../../../src/auth/sessions.ts'
import type { TalPage } from '../../../src/contract/tal.ts'
import { sleep } from '../../../src/lib/backoff.ts'
import { resultOf, submit } from '../../helpers/answered-service.ts'
import { CHROMIUM, watchErrors } from '../../helpers/browser.ts'
import { findPageFaults, signIn } from '../../helpers/console.ts'
import type { ConsoleService } from '../../helpers/console-service.ts'
import { startConsoleService } from '../../helpers/console-service.ts'
import { eventually } from '../../helpers/eventually.ts'

/**
 * Names that a hostile page or import could contain: markup, terminal codes, a right-to-left override, and 10,000
 * characters.
 */
const HOSTILE = {
  'markup.example': '<img src=x onerror="document.title=\'owned\'">',
  'ansi.example': '\u001b[31mred\u001b[0m',
  'override.example': 'safe\u202Efdp.exe',
  'long.example': 'A'.repeat(10_000),
}

let started: ConsoleService
let warehouse: ConsoleService['warehouse']
let answered: ConsoleService['answered']
let bench: ConsoleService['bench']
let browser: ConsoleService['browser']
let operator: ConsoleService['operator']
let url: string

describe.skipIf(!CHROMIUM)('the console in Chromium (skipped without it)', () => {
  beforeAll(async () => {
    started = await startConsoleService()
    ;({ answered, warehouse, bench, browser, operator, url } = started)
    answered.answers.known.set('acme.example', {
      name: 'Acme Capital',
      people: [
        { full_name: 'Ada Byron', title: 'Chief Executive Officer', seniority: 'executive', email: 'ada@acme.example' },
      ],
      signals: [
        { type: 'Funding', headline: 'Acme raises ten million', date: '2026-11-01', url: 'https://news.example/acme' },
      ],
    })
    const domains = [...Object.keys(HOSTILE), 'acme.example', 'oak.example']
    await answered.service.call('POST', '/v2/clients/me/tal/companies', { body: { domains, source: 'prospects' } })
    const all = { domain: 'acme.example', include_leadership: true, include_signals: true }
    const tasks = [
      await submit(answered.service, '/v2/enrich/batch', { domains: Object.keys(HOSTILE) }),
      await submit(answered.service, '/v2/enrich/company', all),
    ]
    for (const { task_id } of tasks) await resultOf(answered.service, task_id)
    // Enrichment removes most of these characters, but the console must not rely on that.
    for (const [domain, name] of Object.entries(HOSTILE))
      await answered.service.db.updateTable('company').set({ name }).where('domain', '=', domain).execute()
  })
  afterAll(async () => {
    await started?.[Symbol.asyncDispose]()
  })

  it('the console signs a user in with a one-time link, and out again', async () => {
    const { key_id } = await createApiKey(answered.service.db, answered.service.client.client_id)
    const link = `${url}/console/sign-in#${await createSignInLink(answered.service.db, key_id)}`
    const context = await browser.newContext()
    const page = await context.newPage()
    const errors = watchErrors(page, url)
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'units are left' }).waitFor()
    expect(page.url()).toBe(`${url}/console`)
    expect(await context.cookies()).toMatchObject([{ name: 'talhouse_session', httpOnly: true, sameSite: 'Strict' }])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    expect(errors).toEqual([])
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This sign-in link was used or has expired').waitFor()
    await context.close()
  })

  it('the console shows that a nightly run failed and why, and resumes it', async () => {
    const page = await operator.newPage()
    const errors = watchErrors(page, url)
    await page.goto(`${url}/console`)
    await page.getByRole('heading', { name: 'The last nightly run failed' }).waitFor()
    await page.getByRole('link', { name: 'View the run' }).click()
    await page.getByText('the list could not be pulled').first().waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Start nightly' }).click()
    await page.getByText('A scheduler starts nightly within seconds.').waitFor()
    expect(await warehouse.db.selectFrom('sync.run_request').select('pipeline').execute()).toEqual([
      { pipeline: 'nightly' },
    ])
    expect(errors).toEqual([])
    await page.close()
  })

  it('the console shows a run in progress live, and stops it', async () => {
    const page = await operator.newPage()
    // The run starts after the page has read its data, and before the first event.
    let running: Promise<unknown> | undefined
    const startBeforeEvents = async (route: Route) => {
      await page.getByRole('region', { name: 'Runs', exact: true }).waitFor()
      running = bench.run({ pipeline: waits })
      await eventually('the run has started', () =>
        bench.warehouse.db.selectFrom('sync.run').select('id').where('pipeline', '=', waits.name).executeTakeFirst(),
      )
      await route.continue()
    }
    await page.route('**/v2/events', startBeforeEvents, { times: 1 })
    await page.goto(`${url}/console/runs`)
    await page.getByRole('link', { name: /^Waits/ }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Stop the run' }).click()
    expect(await running).toMatchObject({ state: 'interrupted' })
    await page.getByText('The run was stopped on request').waitFor()
    await page.close()
  })

  it('the console enriches selected accounts for the number of units that the button names', async () => {
    const page = await operator.newPage()
    await page.goto(`${url}/console/accounts`)
    const before = await balance()
    await page.getByLabel('Select acme.example').check()
    await page.getByLabel('Select oak.example').check()
    await page.getByRole('button', { name: 'Enrich', exact: true }).click()
    await page.getByRole('button', { name: 'Spend 2 units' }).click()
    await page.getByText(/Enrichment completed: 2 units charged/).waitFor()
    expect(await balance()).toBe(before - 2)
    await page.close()
  })

  it('the console adds accounts, names rejected lines, and undoes a removal', async () => {
    const page = await operator.newPage()
    await page.goto(`${url}/console/accounts`)
    await page.getByRole('button', { name: 'Add accounts' }).click()
    await page.getByLabel(/Domains or web addresses/).fill('birch.example\nnot_a_domain')
    await page.getByRole('button', { name: 'Add 2 accounts' }).click()
    await page.getByText('not_a_domain', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    const entries = [{ domain: 'birch.example', attributes: { Owner: 'Kim', Region: 'West', Tier: 'A' } }]
    await answered.service.call('POST', '/v2/clients/me/tal/companies', { body: { entries } })
    await page.getByLabel('Select birch.example').waitFor()
    await page.reload()
    await page.getByLabel('Select birch.example').check()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove 1 account' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 account restored.').waitFor()
    await page.getByLabel('Select birch.example').waitFor()
    const { body } = await answered.service.call<TalPage>('GET', '/v2/clients/me/tal/companies?domain=birch.example')
    expect(body.companies).toMatchObject(entries)
    await page.close()
  })

  it('the console filters accounts by an imported column, shows all columns of one account, and removes the account there', async () => {
    const entries = [
      { domain: 'cedar.example', attributes: { Owner: 'Lee', Region: 'North', 'Next contact': '2027-01' } },
    ]
    await answered.service.call('POST', '/v2/clients/me/tal/companies', { body: { entries, source: 'crm' } })
    const page = await operator.newPage()
    await page.goto(`${url}/console/accounts`)
    await page.getByRole('button', { name: 'Owner: Lee' }).first().click()
    await page.getByText('1 account match').waitFor()
    await page.getByRole('link', { name: 'cedar.example' }).click()
    await page.getByText('2027-01').waitFor()
    await page.getByRole('button', { name: 'Remove from the list' }).click()
    await page.getByRole('button', { name: 'Remove 1 account' }).click()
    await page.getByRole('button', { name: 'Add to the list' }).waitFor()
    await page.close()
  })

  it('the console explains a value by its source, and finds people, signals and changes', async () => {
    const page = await operator.newPage()
    await page.goto(`${url}/console/accounts`)
    await page.keyboard.press('/')
    await page.keyboard.type('acme')
    await page.getByRole('link', { name: 'Acme Capital' }).click()
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Name', exact: true }) })
    await row.getByText('answers').waitFor()
    expect(await row.innerText()).toContain('90%')
    expect(await row.getByRole('link').getAttribute('href')).toBe(`${answered.answers.url}/acme.example`)
    await page.getByRole('link', { name: /^People/ }).click()
    await page.getByText('ada@acme.example').waitFor()
    await page.getByRole('link', { name: /^Signals/ }).click()
    await page.getByText('Acme raises ten million').waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('rowheader', { name: 'Name', exact: true }).waitFor()
    await page.close()
  })

  it('the console shows hostile names as text', async () => {
    const page = await operator.newPage()
    const errors = watchErrors(page, url)
    await page.goto(`${url}/console/accounts`)
    await page.getByText(HOSTILE['markup.example']).waitFor()
    const text = await page.locator('main').innerText()
    for (const hidden of ['\u001b', '\u202e']) expect(text).not.toContain(hidden)
    expect(text).toContain('\ufffd[31mred')
    expect(text).toContain('safe\ufffdfdp.exe')
    expect(text.length).toBeLessThan(5_000)
    expect(await page.title()).toBe('Target accounts · talhouse')
    for (const domain of Object.keys(HOSTILE)) {
      await page.goto(`${url}/console/companies/${domain}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.locator('img').count()).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), domain).toBe(true)
    }
    expect(errors).toEqual([])
    await page.close()
  })

  it('the console creates a key for a colleague, who can read but not spend', async () => {
    const page = await operator.newPage()
    await page.goto(`${url}/console/keys`)
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel('Person or program that uses the key').fill('Mia, analyst')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const key = await page.locator('dialog code.code').innerText()
    await page.getByRole('button', { name: 'Done' }).click()
    const colleague = await (await signedIn(key)).newPage()
    await colleague.goto(`${url}/console/companies/acme.example`)
    await colleague.getByText('Values and evidence').waitFor()
    expect(await colleague.getByRole('button', { name: 'Enrich' }).count()).toBe(0)
    expect(await colleague.getByRole('link', { name: 'Runs' }).count()).toBe(0)
    const refused = await colleague.evaluate(async () => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"domain":"acme.example"}',
      }
      return await (await fetch('/v2/enrich/company', init)).json()
    })
    expect(refused).toMatchObject({ code: 'missing_scope' })
    await page.getByRole('button', { name: 'Revoke Mia, analyst' }).click()
    await page.getByRole('button', { name: 'Revoke 1 key' }).click()
    await page.getByText('The key Mia, analyst is revoked.').waitFor()
    await colleague.getByRole('link', { name: 'Spending' }).click()
    await colleague.getByLabel('API key').waitFor()
    await colleague.context().close()
    await page.close()
  })

  it('the console shows the cost of a task', async () => {
    const page = await operator.newPage()
    await page.goto(`${url}/console/spending`)
    await page.getByText('Charge').last().waitFor()
    await page.getByRole('region', { name: 'Ledger' }).getByRole('link').last().click()
    await page.getByRole('heading', { name: /Batch/ }).waitFor()
    await page.getByText('markup.example').first().waitFor()
    await page.close()
  })

  it('the console shows which people joined which account this month', async () => {
    await addPerson({ name: 'Early Bird', task: 'first search', days: 60 })
    await addPerson({ name: 'Nora Newcomer', task: 'second search', days: 0 })
    await sql`
      insert into warehouse.tal_member (domain, run_id, row_hash) values ('acme.example', 1, '')`.execute(warehouse.db)
    const page = await operator.newPage()
    await page.goto(`${url}/console`)
    await page.getByRole('link', { name: 'Personnel changes' }).click()
    const row = page.getByRole('region', { name: 'Personnel changes' }).getByRole('row').nth(1)
    await row.getByRole('rowheader', { name: 'Nora Newcomer' }).waitFor()
    expect(await row.innerText()).toContain('acme.example')
    expect(await page.getByText('Early Bird').count()).toBe(0)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect(await readFile(await (await downloading).path(), 'utf8')).toContain('acme.example,,Nora Newcomer,Partner,')
    await page.getByLabel('Change', { exact: true }).selectOption('Left')
    await page.getByText('No changes of this kind in this period').waitFor()
    await page.getByLabel('Change', { exact: true }).selectOption('Joined')
    await page.getByRole('link', { name: 'Open as SQL' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('1 row in').waitFor()
    await page.close()
  })

  it('the console signs the user out when the key is revoked', async () => {
    const { key, key_id } = await createApiKey(answered.service.db, answered.service.client.client_id)
    const page = await (await signedIn(key)).newPage()
    await page.goto(`${url}/console/spending`)
    await page.getByText('Units left').waitFor()
    await revokeApiKey(answered.service.db, key_id)
    // The page's next update can sign the user out before the click.
    const signedOut = page.getByLabel('API key').waitFor()
    await Promise.any([page.getByRole('link', { name: 'Tasks' }).click(), signedOut])
    await signedOut
    await page.context().close()
  })

  it('the console has no accessibility violations and fits a width of 360 pixels, in light and dark mode', async () => {
    const run = (await warehouse.db.selectFrom('sync.run').select('id').executeTakeFirstOrThrow()).id
    const company = '/companies/acme.example'
    const places = [
      '',
      { path: '/accounts', dialogs: ['Add accounts'] },
      { path: company, dialogs: ['Enrich'] },
      `${company}?tab=people`,
      `${company}?tab=history`,
      { path: '/runs', dialogs: ['Start a run'] },
      `/runs/${run}`,
      { path: '/runs/backfills', dialogs: ['Plan a backfill'] },
      '/personnel',
      '/tasks',
      '/spending',
      { path: '/keys', dialogs: ['Create a key', 'Revoke'] },
    ]
    expect(await findPageFaults(operator, url, places)).toEqual([])
  }, 180_000)
})

const signedIn = (key: string) => signIn(browser, url, key)

async function balance(): Promise<number> {
  const { body } = await answered.service.call<{ units_remaining: number }>('GET', '/v2/usage')
  return body.units_remaining
}

/** Adds a person at acme.example to the warehouse, as if found by a search a few days ago. */
async function addPerson({ name, task, days }: { name: string; task: string; days: number }): Promise<void> {
  const found = sql`now() - ${days}::integer * interval '1 day'`
  await sql`
    insert into warehouse.person (company_domain, person_key, person_id, full_name, title, first_seen_at, run_id, row_hash)
    values ('acme.example', ${name}, ${name}, ${name}, 'Partner', ${found}, 1, '')`.execute(warehouse.db)
  await sql`
    insert into warehouse.history_event (domain, event_key, entity, key, person_id, field, new_value, changed_at, source, task_id, run_id)
    select 'acme.example', ${name} || field, 'person', ${name}, ${name}, field, to_jsonb(value), ${found}, 'website', ${task}, 1
    from (values ('full_name', ${name}), ('title', 'Partner')) as event (field, value)`.execute(warehouse.db)
}

/** A pipeline that runs until it is stopped. */
const waits: Pipeline = {
  name: 'waits',
  async run({ signal }) {
    await sleep(60_000, signal)
    return { reasons: [] }
  },
}
