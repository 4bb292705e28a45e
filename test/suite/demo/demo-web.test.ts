import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { QUIRKS } from '../../../src/demo/site/plan.ts'
import { TEAM_LAYOUTS } from '../../../src/demo/site/team-layouts.ts'
import type { DemoWeb } from '../../../src/demo/start-demo-web.ts'
import { startDemoWeb } from '../../../src/demo/start-demo-web.ts'
import type { Fetched } from '../../../src/enrichment/fetching/fetched.ts'
import { createFetcher } from '../../../src/enrichment/fetching/fetcher.ts'
import { fetchingSettings } from '../../helpers/web-server.ts'

const today = new Date('2026-03-01T00:00:00Z')

/** Starts a demo web and a fetcher, which by default trusts the demo web's certificate authority. */
async function visit<Result>(
  look: (web: DemoWeb, get: (url: string) => Promise<Fetched>) => Promise<Result>,
  { isTrusted = true } = {},
): Promise<Result> {
  await using web = await startDemoWeb({ today })
  const extra_ca_files = isTrusted ? [web.authorityFile] : []
  await using fetcher = createFetcher(fetchingSettings({ connect_to: web.connectTo, extra_ca_files }))
  const { signal } = new AbortController()
  return await look(web, (url) => fetcher.get(url, { signal }))
}

describe('the demo web', () => {
  it('the demo web covers all layouts and quirks with forty companies', async () => {
    await visit(async (web) => {
      expect(web.companies).toHaveLength(40)
      expect(TEAM_LAYOUTS.length).toBeGreaterThanOrEqual(12)
      expect(new Set(web.answerKey.map(({ layout }) => layout)).size).toBe(TEAM_LAYOUTS.length)
      expect(new Set(web.answerKey.map(({ quirk }) => quirk)).size).toBe(QUIRKS.length)
    })
  })

  it('the demo web serves each company under its host and no other hosts', async () => {
    await visit(async ({ answerKey }, get) => {
      const plain = answerKey.find(({ quirk }) => quirk === 'none')
      const page = await get(`http://${plain?.domain}/`)
      expect(page.outcome === 'page' && page.text()).toContain(plain?.fields['legal_name'])
      expect(await get('http://stranger.example/')).toMatchObject({ outcome: 'missing' })
      expect(await get(`http://${plain?.domain}/no-such-page`)).toMatchObject({ outcome: 'missing' })
    })
  })

  it('the demo web serves some sites over https with a redirect from http, and others only over http', async () => {
    await visit(async ({ answerKey }, get) => {
      const plain = answerKey.filter(({ quirk }) => quirk === 'none')
      const schemes = await Promise.all(
        plain.map(async ({ domain }) => [await get(`https://${domain}/`), await get(`http://${domain}/`)] as const),
      )
      const secure = schemes.filter(([https]) => https.outcome === 'page')
      expect(secure.length).toBeGreaterThan(plain.length / 4)
      expect(secure.length).toBeLessThan((plain.length * 3) / 4)
      for (const [https, http] of secure) expect(http.url).toBe(https.url)
      for (const [https, http] of schemes.filter((pair) => !secure.includes(pair))) {
        expect(https).toMatchObject({ outcome: 'unavailable', unconnected: true })
        expect(http).toMatchObject({ outcome: 'page', url: expect.stringMatching(/^http:/) })
      }
    })
  })

  it('the demo web has sites with an expired certificate, which the fetcher rejects', async () => {
    await visit(async ({ answerKey }, get) => {
      const broken = answerKey.filter(({ quirk }) => quirk === 'broken certificate')
      expect(broken.length).toBeGreaterThan(0)
      for (const { domain } of broken)
        for (const scheme of ['https', 'http'])
          expect(await get(`${scheme}://${domain}/`)).toMatchObject({
            outcome: 'refused',
            reason: "the site's certificate is not valid: certificate has expired",
          })
    })
  })

  it("the fetcher does not trust the demo web without the demo web's certificate authority", async () => {
    await visit(
      async ({ answerKey, authorityFile }, get) => {
        const outcomes = await Promise.all(
          answerKey.filter(({ quirk }) => quirk === 'none').map(({ domain }) => get(`https://${domain}/`)),
        )
        expect(outcomes.filter(({ outcome }) => outcome === 'page')).toEqual([])
        expect(outcomes.filter(({ outcome }) => outcome === 'refused').length).toBeGreaterThan(0)
        expect(await readFile(authorityFile, 'utf8')).not.toContain('PRIVATE KEY')
      },
      { isTrusted: false },
    )
  })

  it('the demo web shows every person of the answer key on the site', async () => {
    await visit(async ({ answerKey }, get) => {
      const textOf = async (url: string) => {
        const page = await get(url)
        return page.outcome === 'page' ? new TextDecoder('windows-1252').decode(page.body) : ''
      }
      for (const { domain, quirk, people } of answerKey.filter((facts) => facts.quirk === 'none')) {
        const home = await textOf(`http://${domain}/`)
        const paths = [...home.matchAll(/<li><a href="(\/[^"]*)"/g)].map(([, path]) => path as string)
        const pages = (await Promise.all(paths.map((path) => textOf(`http://${domain}${path}`)))).join('\n')
        const missing = people.filter(({ title }) => !pages.includes(title.replaceAll('&', '&amp;')))
        expect({ domain, quirk, missing }).toEqual({ domain, quirk, missing: [] })
      }
    })
  })
})
