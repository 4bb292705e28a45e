import { expect, it } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { findPeople } from '../../../../../src/enrichment/providers/website/find-people.ts'

const find = (body: string, url = 'https://acme.example/team') => {
  return findPeople(parsePage(`<h1>Our Team</h1>${body}`, url), [], 'acme.example', false)
}

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
  expect(find(body, url).next).toBe(next)
})

it.each([
  ['another list', '<a href="/blog?page=2">Next</a>'],
  ['another site', '<a href="https://other.example/team?page=2">Next</a>'],
  ['a page before', '<a href="/team?page=0">Next</a>'],
])('follows no link to %s', (_, body) => {
  expect(find(body)).toMatchObject({ next: null, profiles: [] })
})

it('returns profiles and sections below a list of people without titles', () => {
  const linked =
    '<p><a href="/team/anna-doe">Anna Doe</a></p><p><a href="/services/plans">Wealth Plans</a></p><a href="/team/boston">Boston office</a>'
  expect(find(linked)).toEqual({
    titled: 0,
    next: null,
    profiles: [{ url: 'https://acme.example/team/anna-doe', name: 'Anna Doe' }],
    subpages: ['https://acme.example/team/boston'],
  })
})

it('returns profiles whose links are portraits', () => {
  const linked = '<a href="/team/anna-doe"><img src="/a.jpg" alt="Anna Doe"></a>'
  expect(find(linked).profiles).toEqual([{ url: 'https://acme.example/team/anna-doe', name: 'Anna Doe' }])
})

it('counts titled people and returns no profiles for them', () => {
  const titled = ['Anna', 'Ben']
    .map((name) => `<div><h3><a href="/team/${name}">${name} Doe</a></h3><p>Partner</p></div>`)
    .join('')
  expect(find(titled)).toMatchObject({ titled: 2, profiles: [], subpages: [] })
})
