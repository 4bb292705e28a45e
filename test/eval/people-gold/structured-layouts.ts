import type { GoldPerson } from './invented-people.ts'
import type { Firm } from './page-frame.ts'

const each = (people: GoldPerson[], draw: (person: GoldPerson) => string): string => people.map(draw).join('\n')

/** Pages with people in structured data; the visible text mentions them in prose or not at all. */
export const STRUCTURED: Record<string, (people: GoldPerson[], firm: Firm) => { head: string; body: string }> = {
  'json-ld employees': (people, firm) => ({
    head: `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Organization', name: firm.name, url: `https://${firm.domain}/`, employee: people.map(({ name, title }) => ({ '@type': 'Person', name, jobTitle: title })) })}</script>`,
    body: '<h1>About</h1><p>We are here to help.</p>',
  }),
  'json-ld graph': (people, firm) => ({
    head: `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': [{ '@type': 'Organization', '@id': '#org', name: firm.name }, ...people.map(({ name, title }) => ({ '@type': 'Person', givenName: name.split(' ')[0], familyName: name.split(' ').slice(1).join(' '), jobTitle: title, worksFor: { '@id': '#org' } })), { '@type': 'BlogPosting', headline: 'News', author: { '@type': 'Person', name: 'Guest Authorius' } }] })}</script>`,
    body: '<h1>About</h1>',
  }),
  microdata: (people) => ({
    head: '',
    body: `<h1>Team</h1>${each(people, ({ name, title }) => `<div itemscope itemtype="https://schema.org/Person"><h3 itemprop="name">${name}</h3><span itemprop="jobTitle">${title}</span></div>`)}<div itemscope itemtype="https://schema.org/Review"><span itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">Reviewer Somebodius</span></span></div>`,
  }),
  'h-card': (people, firm) => ({
    head: '',
    body: `<h1>Team</h1>${each(people, ({ name, title }) => `<div class="h-card"><a class="p-name u-url" href="/x">${name}</a>, <span class="p-job-title">${title}</span> at <span class="p-org">${firm.name}</span></div>`)}`,
  }),
}
