import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createFetcher } from '../../../../src/enrichment/fetching/fetcher.ts'
import type { ModelReader, UnsurePage } from '../../../../src/enrichment/model-reader/model-reader.ts'
import { createWebsiteProvider } from '../../../../src/enrichment/providers/website.ts'
import type { FieldGroup } from '../../../../src/findings/provider.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { silentLog } from '../../../../src/lib/logger.ts'
import { byPath, enrichmentSettings, fetchingSettings, serveWeb } from '../../../helpers/web-server.ts'

/** Returns the provider's findings on a site and the paths that the provider requested. */
async function visit(
  listener: RequestListener,
  groups: FieldGroup[] = ['company'],
  domain = 'acmecapital.example',
  pages = 12,
  modelReader: ModelReader | null = null,
) {
  const asked: string[] = []
  await using server = await serveWeb((request, reply) => {
    asked.push(`${request.headers.host}${request.url}`)
    listener(request, reply)
  })
  await using fetcher = createFetcher(fetchingSettings({ connect_to: [server.connectTo] }))
  const { signal } = new AbortController()
  const provider = createWebsiteProvider({
    fetcher,
    receivesMail: async () => true,
    settings: enrichmentSettings({ crawl: { pages_per_company: pages } }),
    clock: systemClock,
    modelReader,
  })
  const findings = await provider.find({
    domain,
    known: {},
    groups: new Set(groups),
    maxPeople: 5,
    maxArticles: 10,
    clock: systemClock,
    signal,
    log: silentLog,
  })
  const values = Object.fromEntries(findings.observations.toReversed().map(({ field, value }) => [field, value]))
  return { ...findings, values, asked }
}

describe('the website provider', () => {
  it('reads the home page of a site and the pages in its navigation', async () => {
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/about">About</a><a href="/contact">Contact</a><a href="/jobs">Jobs</a></nav>',
      '/about': '<title>About | Acme Capital</title><p>Founded in 1987, Acme is a team of 45 people.</p>',
      '/contact': '<title>Contact</title><address>12 Lanternfish Way<br>Denver, CO 80202</address>',
    })
    const { status, reason, values, asked, observations } = await visit(site)
    expect({ status, reason }).toEqual({ status: 'found', reason: null })
    expect(values).toMatchObject({
      name: 'Acme Capital',
      founded_year: 1987,
      employee_count: 45,
      headquarters_city: 'Denver',
    })
    expect(observations.find(({ field }) => field === 'founded_year')?.url).toBe('http://acmecapital.example/about')
    expect(asked).toEqual(['/robots.txt', '/', '/about', '/contact'].map((path) => `acmecapital.example${path}`))
  })

  it('follows the next pages of a team up to the page budget', async () => {
    const team = (names: string[], next: string) =>
      `<title>Team</title><h1>Our Team</h1>${names.map((name) => `<div><h3>${name} Doe</h3><p>Partner</p></div>`).join('')}<a href="${next}">Next</a>`
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/team">Our Team</a></nav>',
      '/team': team(['Anna', 'Ben'], '/team/page/2'),
      '/team/page/2': team(['Cleo'], '/team/page/3'),
      '/team/page/3': team(['Dora'], '/team/page/4'),
      '/team/page/4': team(['Eli'], '/team/page/5'),
    })
    const { people, asked } = await visit(site, ['leadership'], 'acmecapital.example', 4)
    expect(people.length).toBe(4)
    expect(asked.filter((path) => path.includes('/team'))).toEqual(
      ['/team', '/team/page/2', '/team/page/3'].map((path) => `acmecapital.example${path}`),
    )
  })

  it('requests each link of a site once, including links that redirect or lead to other documents', async () => {
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/team">Our Team</a><a href="/leadership">Leadership</a><a href="/about">About</a><a href="/people">People</a></nav>',
      '/team': (_, reply) => reply.writeHead(302, { location: '/company/team' }).end(),
      '/company/team': '<h1>Our Team</h1><p>Ask us.</p>',
      '/leadership': (_, reply) => reply.setHeader('content-type', 'application/pdf').end('%PDF-1.7'),
      '/about': (_, reply) => reply.writeHead(302, { location: '/' }).end(),
      '/people': '<h1>People</h1><div><h3>Anna Doe</h3><p>Partner</p></div><div><h3>Ben Roe</h3><p>Partner</p></div>',
    })
    const { people, asked } = await visit(site, ['company', 'leadership'])
    expect(people.map(({ full_name }) => full_name)).toEqual(['Anna Doe', 'Ben Roe'])
    const pages = ['/team', '/leadership', '/about', '/people'].map((path) => `acmecapital.example${path}`)
    expect(asked.filter((url) => pages.includes(url)).toSorted()).toEqual(pages.toSorted())
  })

  it('finds the people page by its content if its link is uninformative', async () => {
    const people = ['Anna Doe', 'Ben Roe', 'Cleo Poe']
      .map((name) => `<div><h3>${name}</h3><p>Partner</p></div>`)
      .join('')
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/ripple">Ripple</a><a href="/on-deck">On deck</a><a href="/fees">Fees</a></nav>',
      '/ripple': '<h1>Ripple</h1><p>Zoe Moe, Director, Customer Inc: they are great.</p>',
      '/on-deck': `<h1>On deck</h1>${people}`,
      '/fees': '<h1>Fees</h1>',
    })
    const { people: found } = await visit(site, ['leadership'])
    expect(found.map(({ full_name }) => full_name).toSorted()).toEqual(['Anna Doe', 'Ben Roe', 'Cleo Poe'])
  })

  it('reads people on the pages of branches after the team page, until several pages list nobody', async () => {
    const card = (name: string, title: string): string => `<div><h3>${name}</h3><p>${title}</p></div>`
    const others = Array.from({ length: 8 }, (_, place) => `/p${place}`)
    const site = byPath({
      '/': `<title>Acme Capital</title><nav><a href="/team">Our Team</a><a href="/contact">Contact</a>${others.map((path) => `<a href="${path}">Page</a>`).join('')}</nav>`,
      '/team': `<h1>Our Team</h1>${card('Anna Doe', 'Chief Executive Officer')}${card('Ben Roe', 'Finance Director')}`,
      '/contact': `<h1>Our branches</h1>${card('Cleo Poe', 'Branch Manager')}${card('Dora Moe', 'Branch Manager')}`,
      ...Object.fromEntries(others.map((path) => [path, '<h1>Page</h1>'])),
    })
    const { people, asked } = await visit(site, ['leadership'])
    expect(people.map(({ full_name }) => full_name).toSorted()).toEqual(['Anna Doe', 'Ben Roe', 'Cleo Poe', 'Dora Moe'])
    expect(asked.filter((path) => /\/p\d$/u.test(path))).toHaveLength(4)
  })

  it('reads the JSON document on the same site that a page without people refers to', async () => {
    const team = [
      { n: 'Anna Doe', p: 'Managing Director' },
      { n: 'Ben Roe', p: 'Head of Sales' },
    ]
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/team">Team</a></nav>',
      '/team':
        '<h1>Team</h1><div id="app"></div><script>fetch("http://other.example/team.json"); fetch("/api/team")</script>',
      '/api/team': (_, reply) => reply.setHeader('content-type', 'application/json').end(JSON.stringify({ team })),
    })
    const { people, asked } = await visit(site, ['leadership'])
    expect(people.map(({ full_name, title }) => [full_name, title])).toEqual(team.map(({ n, p }) => [n, p]))
    expect(asked.filter((url) => url.startsWith('other.example'))).toEqual([])
  })

  it('reads the JSON document of a page whose link is uninformative', async () => {
    const crew = [
      { n: 'Anna Doe', p: 'Managing Director' },
      { n: 'Ben Roe', p: 'Head of Sales' },
    ]
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/on-deck">On deck</a></nav>',
      '/on-deck': '<h1>On deck</h1><div id="app"></div><script>fetch("/api/crew")</script>',
      '/api/crew': (_, reply) => reply.setHeader('content-type', 'application/json').end(JSON.stringify({ crew })),
    })
    const { people } = await visit(site, ['leadership'])
    expect(people.map(({ full_name, title }) => [full_name, title])).toEqual(crew.map(({ n, p }) => [n, p]))
  })

  it('continues the search for people after JSON documents that do not exist', async () => {
    const empty = (path: string): string => `<h1>Team</h1><div id="app"></div><script>fetch("/api${path}")</script>`
    const people = ['Anna Doe', 'Ben Roe', 'Cleo Poe']
    const site = byPath({
      '/': '<title>Acme</title><nav><a href="/team">Team</a><a href="/people">People</a><a href="/leadership">Leadership</a><a href="/on-deck">On deck</a></nav>',
      '/team': empty('/team'),
      '/people': empty('/people'),
      '/leadership': empty('/leadership'),
      '/on-deck': `<h1>On deck</h1>${people.map((name) => `<div><h3>${name}</h3><p>Partner</p></div>`).join('')}`,
    })
    const found = await visit(site, ['leadership'])
    expect(found.people.map(({ full_name }) => full_name).toSorted()).toEqual(people)
  })

  it('leaves the newsroom and its data to the search for news when it finds no people', async () => {
    const story = 'Acme Capital opens new office in Denver'
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/fees">Fees</a><a href="/news">News</a></nav>',
      '/fees': '<h1>Fees</h1>',
      '/news': `<ul><li><time datetime="2026-02-03">February 3, 2026</time> <a href="/news/denver">${story}</a></li></ul><script>fetch("/api/news")</script>`,
    })
    const { signals, asked } = await visit(site, ['leadership', 'signals'])
    expect(signals).toMatchObject([{ type: 'Expansion', headline: story }])
    expect(asked).toContain('acmecapital.example/fees')
    expect(asked).not.toContain('acmecapital.example/api/news')
  })

  it('fetches the imprint, even with an unknown link text, for a legal name that other pages lack', async () => {
    const site = byPath({
      '/': '<title>Acme</title><nav><a href="/shop">Shop</a></nav><footer><a href="/x9">Mentions légales</a></footer>',
      '/x9': '<h1>Mentions légales</h1><p>Acme Capital SARL, 12 rue des Lilas, 69003 Lyon. Tél. +33 4 72 55 01 99</p>',
      '/shop': '<h1>Shop</h1>',
    })
    const { values, asked } = await visit(site)
    expect(values).toMatchObject({ legal_name: 'Acme Capital SARL' })
    expect(asked).not.toContain('acmecapital.example/shop')
  })

  it('sends the language model only pages about which the built-in readers are unsure', async () => {
    const sent: UnsurePage[][] = []
    const reader: ModelReader = {
      read: async (unsure) => {
        sent.push([...unsure])
        return { people: [], observations: [] }
      },
    }
    const site = (people: string) =>
      byPath({
        '/': '<title>Acme Capital</title><nav><a href="/team">Team</a></nav>',
        '/team': `<h1>Our Team</h1>${people}`,
      })
    const card = (name: string) => `<div><h3>${name}</h3><p>Partner</p></div>`
    const read = (listener: RequestListener) => visit(listener, ['leadership'], 'acmecapital.example', 12, reader)
    await read(site('<p>Our Anna runs the place.</p>'))
    await read(site(card('Anna Doe') + card('Ben Roe') + card('Cleo Poe')))
    expect(sent).toEqual([[{ url: 'http://acmecapital.example/team', text: 'Our Team\nOur Anna runs the place.' }], []])
  })

  it.each([
    [3, 1],
    [8, 3],
  ])('requests at most %i pages of a site, at the rate limit of each host', async (pages, minimum) => {
    const times = new Map<string, number[]>()
    const requests: { path: string; isHop: boolean }[] = []
    const links = Array.from(
      { length: 60 },
      (_, n) => `<a href="/section-${String.fromCharCode(97 + (n % 26))}/${n}">Part</a>`,
    )
    // Every page also has a next page, a subteam, a profile and a JSON document.
    const more = (path: string): string =>
      `<a rel="next" href="${path}?page=${requests.length}">Next</a><a href="${path}/boston">Boston</a><a href="${path}/ann">Ann Doe</a><script>fetch("/api${path}.json")</script>`
    const sitemap = (path: string, host: string): string =>
      path === '/sitemap.xml'
        ? `<sitemapindex>${[1, 2, 3].map((n) => `<sitemap><loc>http://${host}/sitemap-${n}.xml</loc></sitemap>`).join('')}</sitemapindex>`
        : `<urlset>${Array.from({ length: 300 }, (_, n) => `<url><loc>http://people.${host}/our-team/${n}</loc></url>`).join('')}</urlset>`
    await using server = await serveWeb(({ url: path = '/', headers }, reply) => {
      const host = headers.host ?? ''
      times.set(host, [...(times.get(host) ?? []), performance.now()])
      // Most pages and JSON documents are reached through two redirects to other hosts of the site.
      const next = { 'acme.example': 'www.acme.example', 'www.acme.example': 'people.acme.example' }[host]
      const isHop = next !== undefined && path !== '/' && !/robots|sitemap|imprint/.test(path)
      requests.push({ path, isHop })
      if (path === '/robots.txt') reply.writeHead(404).end()
      else if (isHop) reply.writeHead(302, { location: `http://${next}${path}` }).end()
      else if (path.startsWith('/sitemap'))
        reply.setHeader('content-type', 'application/xml').end(sitemap(path, 'acme.example'))
      else
        reply
          .setHeader('content-type', 'text/html')
          .end(
            `<title>Acme</title><nav><a href="/team">Team</a><a href="/imprint">Imprint</a>${links.join('')}</nav>${more(path)}`,
          )
    })
    await using fetcher = createFetcher(fetchingSettings({ connect_to: [server.connectTo], requests_per_second: 25 }))
    const provider = createWebsiteProvider({
      fetcher,
      receivesMail: async () => true,
      settings: enrichmentSettings({ crawl: { pages_per_company: pages } }),
      clock: systemClock,
    })
    await provider.find({
      domain: 'acme.example',
      known: {},
      groups: new Set(['company', 'leadership', 'signals']),
      maxPeople: 25,
      maxArticles: 10,
      clock: systemClock,
      signal: new AbortController().signal,
      log: silentLog,
    })
    const fetched = requests.filter(({ path, isHop }) => !isHop && !/feed|rss|atom|robots|sitemap/.test(path))
    expect(fetched.length).toBeLessThanOrEqual(pages)
    expect(fetched.length).toBeGreaterThanOrEqual(minimum)
    expect(requests.filter(({ path }) => path.startsWith('/sitemap'))).toHaveLength(2)
    expect([...times.keys()].toSorted()).toEqual(['acme.example', 'people.acme.example', 'www.acme.example'])
    // Slots are 40 ms apart. A late arrival can shorten one gap, but not the total time.
    for (const [host, all] of times)
      expect([host, (all.at(-1) ?? 0) - (all[0] ?? 0) >= (all.length - 2) * 40]).toEqual([host, true])
  })

  it('reads profile pages when the list has no titles', async () => {
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/team/">Our Team</a></nav>',
      '/team/':
        '<title>Team</title><h1>Our Team</h1><ul><li><a href="/team/anna-doe">Anna Doe</a></li><li><a href="/team/ben-doe">Ben Doe</a></li><li><a href="/team/cleo-doe">Cleo Doe</a></li><li><a href="/news">News</a></li></ul>',
      '/team/anna-doe':
        '<title>Anna Doe</title><h1>Anna Doe</h1><p>Chief Executive Officer</p><p>Anna has led the firm for ten years.</p>',
      '/team/ben-doe':
        '<title>Ben Doe</title><h1>Ben Doe</h1><p>Chief Financial Officer</p><p>Ben keeps the books.</p>',
      '/team/cleo-doe': '<title>Cleo Doe</title><h1>Cleo Doe</h1><p>Partner</p>',
    })
    const { people, asked } = await visit(site, ['leadership'])
    expect(people.map(({ full_name, title }) => [full_name, title])).toEqual([
      ['Anna Doe', 'Chief Executive Officer'],
      ['Ben Doe', 'Chief Financial Officer'],
      ['Cleo Doe', 'Partner'],
    ])
    expect(asked.filter((path) => path.includes('/team'))).toHaveLength(4)
  })

  it('finds pages in the sitemap when the home page has no links', async () => {
    const site = byPath({
      '/robots.txt': 'User-agent: *\nAllow: /\nSitemap: http://acmecapital.example/map-index.xml',
      '/map-index.xml':
        '<sitemapindex><sitemap><loc>http://acmecapital.example/posts.xml</loc></sitemap><sitemap><loc>http://acmecapital.example/pages.xml</loc></sitemap></sitemapindex>',
      '/pages.xml': '<urlset><url><loc>http://acmecapital.example/about-us</loc></url></urlset>',
      '/': '<title>Acme Capital</title>',
      '/about-us': '<p>Established in 1990.</p>',
    })
    expect((await visit(site)).values).toMatchObject({ name: 'Acme Capital', founded_year: 1990 })
  })

  it("reports that a site's robots.txt forbids a page", async () => {
    const site = byPath({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': 'secret' })
    const { status, reason, asked } = await visit(site)
    expect({ status, reason }).toEqual({ status: 'refused', reason: 'disallowed by robots.txt' })
    expect(asked).toEqual(['acmecapital.example/robots.txt'])
  })

  it('requests an unreachable site only once and returns unavailable', async () => {
    const { status, reason, asked } = await visit((_, reply) => reply.writeHead(503).end())
    expect({ status, reason }).toEqual({ status: 'unavailable', reason: 'robots.txt responded with 503' })
    expect(asked).toHaveLength(1)
  })

  it('detects a parked domain', async () => {
    expect(
      await visit(byPath({ '/': '<title>acmecapital.example</title><h1>This domain is for sale!</h1>' })),
    ).toMatchObject({
      status: 'not_found',
      reason: 'the domain is parked',
      observations: [],
    })
  })

  it('returns findings when a page fails, and names the page', async () => {
    const site = byPath({ '/': '<title>Acme Capital</title><nav><a href="/about">About</a></nav>' })
    expect(await visit(site)).toMatchObject({
      status: 'found',
      reason: 'a page could not be read, such as http://acmecapital.example/about: the site responded with 404',
    })
  })

  it('follows redirects to www. and, with less confidence, to another domain', async () => {
    const moved: RequestListener = (request, reply) => {
      if (request.url === '/robots.txt') reply.writeHead(404).end()
      else if (request.headers.host === 'acmecapital.example')
        reply.writeHead(301, { location: 'http://www.acmegroup.example/' }).end()
      else reply.end('<title>Acme Group</title>')
    }
    const { observations } = await visit(moved)
    expect(observations).toMatchObject([{ field: 'name', value: 'Acme Group', confidence: expect.closeTo(0.75, 2) }])
  })

  it('reads the team page for leadership and marks derived addresses', async () => {
    const site = byPath({
      '/': '<title>Acme Capital</title><nav><a href="/team">Our Team</a></nav>',
      '/team': `<div class="p"><h3>Ada Applewhistle</h3><p>Chief Executive Officer</p><a href="mailto:ada.applewhistle@acmecapital.example">mail</a></div>
        <div class="p"><h3>Bruno Bramblecroft</h3><p>Office Manager</p></div><div class="p"><h3>Celia Candlewright</h3><p>CFO</p></div>`,
    })
    const { status, people } = await visit(site, ['leadership'])
    expect(status).toBe('found')
    expect(
      people.map(({ full_name, title, email, email_status }) => ({ full_name, title, email, email_status })),
    ).toEqual([
      {
        full_name: 'Ada Applewhistle',
        title: 'Chief Executive Officer',
        email: 'ada.applewhistle@acmecapital.example',
        email_status: 'published',
      },
      {
        full_name: 'Celia Candlewright',
        title: 'CFO',
        email: 'celia.candlewright@acmecapital.example',
        email_status: 'derived',
      },
      {
        full_name: 'Bruno Bramblecroft',
        title: 'Office Manager',
        email: 'bruno.bramblecroft@acmecapital.example',
        email_status: 'derived',
      },
    ])
  })

  it('reports a missing team page', async () => {
    expect(await visit(byPath({ '/': '<title>Acme Capital</title>' }), ['company', 'leadership'])).toMatchObject({
      status: 'found',
      reason: 'no team page was found',
      people: [],
    })
  })

  it('returns each story of the feed and the newsroom once', async () => {
    const story = 'Acme Capital opens new office in Denver'
    const site = byPath({
      '/': '<title>Acme Capital</title><link rel="alternate" type="application/rss+xml" href="/rss.xml"><nav><a href="/news">News</a></nav>',
      '/news': `<ul><li><time datetime="2026-02-03">February 3, 2026</time> <a href="/news/denver">${story}</a></li></ul>`,
      '/rss.xml': (_, reply) =>
        reply
          .setHeader('content-type', 'application/rss+xml')
          .end(`<rss version="2.0"><channel><title>News</title><item><title>${story}</title><link>http://acmecapital.example/news/denver</link>
          <pubDate>Tue, 03 Feb 2026 09:00:00 GMT</pubDate></item><item><title>Happy holidays</title><link>http://acmecapital.example/news/holidays</link></item></channel></rss>`),
    })
    const { status, signals } = await visit(site, ['signals'])
    expect(status).toBe('found')
    expect(signals).toMatchObject([{ type: 'Expansion', headline: story, date: '2026-02-03', source: 'website' }])
  })
})
