import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { QUIRKS } from '../../src/demo/site/plan.ts'
import { TEAM_LAYOUTS } from '../../src/demo/site/team-layouts.ts'
import { startDemoWeb } from '../../src/demo/start-demo-web.ts'

const today = new Date('2026-03-01T00:00:00Z')

describe('the demo web', () => {
  it('has all layouts and quirks among its forty companies', async () => {
    await using web = await startDemoWeb({ today })
    expect(web.companies).toHaveLength(40)
    expect(TEAM_LAYOUTS.length).toBeGreaterThanOrEqual(12)
    expect(new Set(web.answerKey.map(({ layout }) => layout)).size).toBe(TEAM_LAYOUTS.length)
    expect(new Set(web.answerKey.map(({ quirk }) => quirk)).size).toBe(QUIRKS.length)
  })

  it('serves each company under its own name, and nobody else', async () => {
    await using web = await startDemoWeb({ today })
    const get = (host: string, path = '/') => request(`http://127.0.0.1:${web.port}${path}`, { headers: { host } })
    const plain = web.answerKey.find(({ quirk }) => quirk === 'none')
    const page = await get(plain?.domain ?? '')
    expect(page.statusCode).toBe(200)
    expect(await page.body.text()).toContain(plain?.fields['legal_name'])
    expect((await get('stranger.example')).statusCode).toBe(404)
    expect((await get(plain?.domain ?? '', '/no-such-page')).statusCode).toBe(404)
  })

  it('shows every planted person somewhere on the site', async () => {
    await using web = await startDemoWeb({ today })
    const get = async (host: string, path: string) => {
      const { body } = await request(`http://127.0.0.1:${web.port}${path}`, { headers: { host } })
      return new TextDecoder('windows-1252').decode(await body.arrayBuffer())
    }
    for (const { domain, quirk, people } of web.answerKey.filter((facts) => facts.quirk === 'none')) {
      const home = await get(domain, '/')
      const paths = [...home.matchAll(/<li><a href="(\/[^"]*)"/g)].map(([, path]) => path as string)
      const pages = (await Promise.all(paths.map((path) => get(domain, path)))).join('\n')
      const missing = people.filter(({ title }) => !pages.includes(title.replaceAll('&', '&amp;')))
      expect({ domain, quirk, missing }).toEqual({ domain, quirk, missing: [] })
    }
  })
})
