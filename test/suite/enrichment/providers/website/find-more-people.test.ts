import { expect, it } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { findMorePeople } from '../../../../../src/enrichment/providers/website/find-more-people.ts'

const more = (body: string, url = 'https://acme.example/team') =>
  findMorePeople(parsePage(`<h1>Our Team</h1>${body}`, url), 'acme.example')

it.each([
  [
    'declared',
    '<link rel="next" href="/team?page=2">',
    'https://acme.example/team',
    'https://acme.example/team?page=2',
  ],
  [
    'numbered',
    '<a href="?p=1">1</a><a href="?p=2">2</a><a href="?p=3">3</a>',
    'https://acme.example/team',
    'https://acme.example/team?p=2',
  ],
  [
    'after the second',
    '<a href="/team/">1</a><a href="/team/page/3/">›</a>',
    'https://acme.example/team/page/2/',
    'https://acme.example/team/page/3/',
  ],
])('finds the next page of a team, %s', (_, body, url, next) => {
  expect(more(body, url)).toEqual([next])
})

it.each([
  ['another list', '<a href="/blog?page=2">Next</a>'],
  ['another site', '<a href="https://other.example/team?page=2">Next</a>'],
  ['a page before', '<a href="/team?page=0">Next</a>'],
])('follows no link to %s', (_, body) => {
  expect(more(body)).toEqual([])
})

it('returns profile pages only for a list without titles', () => {
  const linked = '<p><a href="/team/anna-doe">Anna Doe</a></p><p><a href="/services/plans">Wealth Plans</a></p>'
  expect(more(linked)).toEqual(['https://acme.example/team/anna-doe'])
  const titled = ['Anna', 'Ben']
    .map((name) => `<div><h3><a href="/team/${name}">${name} Doe</a></h3><p>Partner</p></div>`)
    .join('')
  expect(more(titled)).toEqual([])
})
