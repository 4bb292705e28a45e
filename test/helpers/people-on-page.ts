import { parsePage } from '../../src/enrichment/extract/page.ts'
import { structuredDataOf } from '../../src/enrichment/extract/structured-data.ts'
import { extractPeople } from '../../src/enrichment/people/extract-people.ts'

/** Returns the people found on a page with this body. */
export function readPeople(body: string, url = 'https://acme.example/team') {
  const html = `<html><head><title>Team</title></head><body>${body}</body></html>`
  const page = parsePage(html, url)
  return extractPeople(page, structuredDataOf(page, html), {
    domain: 'acme.example',
    names: ['Acme Capital'],
    source: 'website',
    observed_at: '2026-11-21T00:00:00.000000Z',
  })
}
/** Returns the names and titles of the people found on a page with this body. */
export const titledNames = (body: string, url?: string) =>
  readPeople(body, url).map(({ full_name, title }) => [full_name, title])
