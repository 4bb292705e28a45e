import { expect, test } from 'vitest'
import { findEndpoints } from '../../../../src/enrichment/extract/endpoints.ts'
import { parsePage } from '../../../../src/enrichment/extract/page.ts'

const find = (html: string) => findEndpoints(parsePage(html, 'https://acme.example/team'))

test.each([
  ['a preload', '<link rel="preload" as="fetch" href="/data/team.json">'],
  ['an attribute', '<div data-team-src="data/team.json"></div>'.replace('data/', '/data/')],
  ['fetch', '<script>fetch("/data/team.json").then(draw)</script>'],
  ['getJSON', "<script>$.getJSON('/data/team.json', draw)</script>"],
  ['axios', '<script>axios.get(`/data/team.json`)</script>'],
])('finds a JSON document named by %s', (_, html) => {
  expect(find(html)).toEqual(['https://acme.example/data/team.json'])
})

test.each([
  ['a template', '<script>fetch(`/api/$' + '{team}`)</script>'],
  ['an image', '<img data-src="/photos/anna.jpg">'],
  ['another scheme', '<script>fetch("file:///etc/passwd")</script>'],
])('does not take %s for the address of a JSON document', (_, html) => expect(find(html)).toEqual([]))
