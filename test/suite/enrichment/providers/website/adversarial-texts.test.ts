import { expect, it } from 'vitest'
import type { PageBytes } from '../../../../../src/enrichment/fetching/fetched.ts'
import { readPagesHere } from '../../../../../src/enrichment/providers/website/read-pages.ts'
import { cpuSeconds } from '../../../../helpers/cpu-seconds.ts'

const page = (html: string): PageBytes => ({
  url: 'http://acme.example/team',
  charset: 'utf-8',
  body: Buffer.from(html),
})
const repeated = (unit: string): string => unit.repeat(Math.ceil(200_000 / unit.length))
const jsonLd = (text: string): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Organization', name: text, description: text })}</script>`
const person = (text: string): string =>
  `<h1>Our Team</h1><h3>Jane Doe</h3><p>${text}</p><div><h3>${text}</h3><p>CEO</p></div>`

/** Inputs for which a rule once took quadratic time: 200 kB took 30 seconds or more. */
const TEXTS: [where: string, unit: string, html: (text: string) => string][] = [
  ['a paragraph', '+1 (0) 2-', (text) => `<p>${text}</p>`],
  ['a paragraph', '@', (text) => `<p>${text}</p>`],
  ['a name and a title', 'a', person],
  ['a name and a title', 'A ', person],
  ['a name and a title', '山', person],
  ['JSON-LD', ' ', jsonLd],
  ['JSON-LD', ';', jsonLd],
  ['a picture', ', ', (text) => `<img alt="${text}">`],
  ['a copyright', '- ', (text) => `<footer>© Acme ${text}</footer>`],
  ['a title', '555.', (text) => `<title>${text}</title>`],
]

it.each(TEXTS)('reads %s with repeated "%s" in linear time', async (_, unit, html) => {
  const { signal } = new AbortController()
  const bytes = page(html(repeated(unit)))
  const groups = new Set(['company', 'leadership', 'signals'] as const)
  const spent = await cpuSeconds(async () => {
    await readPagesHere('readLinks', { page: bytes, kind: 'team', siteDomain: 'acme.example', groups }, signal)
    const site = { siteDomain: 'acme.example', pages: [{ kind: 'team' as const, ...bytes }], feeds: [] }
    const limits = { maxPeople: 25, maxArticles: 10, observedAt: '2026-11-21T00:00:00.000000Z', withUnsure: true }
    await readPagesHere('readFindings', { site, domain: 'acme.example', known: {}, groups, ...limits }, signal)
  })
  // A rule with quadratic time would take minutes.
  expect(spent).toBeLessThan(10)
})
