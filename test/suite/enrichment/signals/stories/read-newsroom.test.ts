import { expect, test } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { readNewsroom } from '../../../../../src/enrichment/signals/stories/read-newsroom.ts'

const read = (body: string, lang = 'en-US') =>
  readNewsroom(
    parsePage(
      `<html lang="${lang}"><body><nav><a href="/">Home page of Acme</a></nav><main>${body}</main></body></html>`,
      'https://acme.example/news',
    ),
  )
const both = [
  { url: 'https://acme.example/news/1', headline: 'Acme opens an office in Leeds', date: '2026-11-03' },
  { url: 'https://acme.example/news/2', headline: 'Acme appoints a chief executive', date: '2026-10-20' },
]

const LAYOUTS = {
  'cards with time elements': `
    <article><h3><a href="/news/1">Acme opens an office in Leeds</a></h3><time datetime="2026-11-03">last week</time></article>
    <article><h3><a href="/news/2">Acme appoints a chief executive</a></h3><time datetime="2026-10-20">October</time></article>`,
  'a card inside its link': `
    <a href="/news/1"><div><span>November 3, 2026</span><h2>Acme opens an office in Leeds</h2></div></a>
    <a href="/news/2"><div><span>October 20, 2026</span><h2>Acme appoints a chief executive</h2></div></a>`,
  'headline as plain text beside read more': `
    <div class="c"><p class="d">11/03/2026</p><h4>Acme opens an office in Leeds</h4><a href="/news/1">Read more</a></div>
    <div class="c"><p class="d">10/20/2026</p><h4>Acme appoints a chief executive</h4><a href="/news/2">Read more</a></div>`,
  'a table': `<table>
    <tr><td>3 Nov 2026</td><td><a href="/news/1">Acme opens an office in Leeds</a></td></tr>
    <tr><td>20 Oct 2026</td><td><a href="/news/2">Acme appoints a chief executive</a></td></tr></table>`,
  'a definition list': `<dl>
    <dt>3 Nov 2026</dt><dd><a href="/news/1">Acme opens an office in Leeds</a></dd>
    <dt>20 Oct 2026</dt><dd><a href="/news/2">Acme appoints a chief executive</a></dd></dl>`,
  'flat siblings, date first': `
    <p>3 Nov 2026</p><h3><a href="/news/1">Acme opens an office in Leeds</a></h3>
    <p>20 Oct 2026</p><h3><a href="/news/2">Acme appoints a chief executive</a></h3>`,
  'a plain list': `<ul>
    <li><span>03.11.2026</span> <a href="/news/1">Acme opens an office in Leeds</a></li>
    <li><span>20.10.2026</span> <a href="/news/2">Acme appoints a chief executive</a></li></ul>`,
}

test.each(Object.entries(LAYOUTS))('reads a newsroom with %s', (_, body) => {
  expect(read(body).map(({ url, headline, date }) => ({ url, headline, date }))).toEqual(both)
})

test('reads the paragraph of a newsroom card as the lead', () => {
  const card = `<article><time datetime="2026-11-03"></time><h3><a href="/news/1">Acme opens an office in Leeds</a></h3>
    <p>The office will be led by two advisers from the region and opens in January.</p></article>`
  expect(read(card)[0]?.lead).toBe('The office will be led by two advisers from the region and opens in January.')
})

test('finds no stories on a newsroom page without dates or without links', () => {
  expect(read('<h3><a href="/news/1">Acme opens an office in Leeds</a></h3>')).toEqual([])
  expect(read('<p>3 November 2026</p><p>We met, and it was a good meeting.</p>')).toEqual([])
})

test('reads relative dates in a newsroom when given the day', () => {
  const card = '<article><span>3 days ago</span><h3><a href="/news/1">Acme opens an office in Leeds</a></h3></article>'
  const page = parsePage(`<html><body><main>${card}</main></body></html>`, 'https://acme.example/news')
  expect(readNewsroom(page, '2026-11-20')).toMatchObject([{ date: '2026-11-17' }])
  expect(readNewsroom(page)).toEqual([])
})
