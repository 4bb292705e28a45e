import { expect, test } from 'vitest'
import { decodeText } from '../../../../../src/enrichment/fetching/decode-text.ts'
import { readFeed } from '../../../../../src/enrichment/signals/stories/read-feed.ts'

const base = 'https://acme.example/feed'
const rss = (items: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items}</channel></rss>`

test('reads an RSS feed with the publisher’s day', () => {
  const item =
    '<item><title>Acme &amp; Borden join forces</title><link>/news/1</link><pubDate>Tue, 03 Nov 2026 00:30:00 +0200</pubDate><description><![CDATA[<p>The <b>two</b> firms said so.</p><p>More.</p>]]></description></item>'
  expect(readFeed(rss(item), base)).toEqual([
    {
      url: 'https://acme.example/news/1',
      headline: 'Acme & Borden join forces',
      lead: 'The two firms said so. More.',
      date: '2026-11-03',
    },
  ])
})

test('reads Atom, RDF and JSON feeds', () => {
  const atom =
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><title type="html">Acme &amp;amp; Borden</title><link rel="self" href="/self"/><link href="/a"/><updated>2026-11-05T10:00:00Z</updated><published>2026-11-03T10:00:00Z</published></entry></feed>'
  const rdf =
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>t</title></channel><item><title>Acme &amp; Borden</title><link>https://acme.example/a</link><dc:date>2026-11-03</dc:date></item></rdf:RDF>'
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 't',
    items: [{ id: '1', url: '/a', title: 'Acme & Borden', date_published: '2026-11-03T00:00:00Z' }],
  })
  for (const feed of [atom, rdf, json])
    expect(readFeed(feed, base), feed.slice(0, 20)).toEqual([
      { url: 'https://acme.example/a', headline: 'Acme & Borden', lead: null, date: '2026-11-03' },
    ])
})

test('reads a news sitemap but not a plain sitemap', () => {
  const sitemap = (news: string) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://acme.example/a</loc>${news}</url></urlset>`
  const news =
    '<news:news><news:publication><news:name>Acme</news:name></news:publication><news:publication_date>2026-11-03T08:00:00+01:00</news:publication_date><news:title>Acme &amp; Borden merge</news:title></news:news>'
  expect(readFeed(sitemap(news), base)).toEqual([
    { url: 'https://acme.example/a', headline: 'Acme & Borden merge', lead: null, date: '2026-11-03' },
  ])
  expect(readFeed(sitemap(''), base)).toBeNull()
})

test('reads a truncated feed, a feed without a version and a feed with leading blank lines', () => {
  const broken =
    '\n\n<?xml version="1.0"?><rss><channel><item><title>Acme opens & grows</title><guid>https://acme.example/a</guid><pubDate>yesterday</pubDate></item>'
  expect(readFeed(broken, base)).toEqual([
    { url: 'https://acme.example/a', headline: 'Acme opens & grows', lead: null, date: null },
  ])
})

test('skips feed items without headline or URL and falls back to the date in the URL', () => {
  const items =
    '<item><title> </title><link>/x</link></item><item><title>No link</title></item><item><title>Mail</title><link>mailto:a@acme.example</link></item><item><title>Acme moves</title><link>/2026/11/03/acme-moves</link></item>'
  expect(readFeed(rss(items), base)?.map(({ headline, date }) => [headline, date])).toEqual([
    ['Acme moves', '2026-11-03'],
  ])
})

test.each([
  '',
  '<html><body>Not here</body></html>',
  '{"a":1}',
  'null',
  '<rss',
])('reads no feed from another kind of document: %s', (text) => {
  expect(readFeed(text, base) ?? []).toEqual([])
})

test('does not expand an entity bomb in a feed', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>${rss('<item><title>&c;</title><link>/a</link></item>').slice(21)}`
  const stories = readFeed(bomb, base) ?? []
  expect(stories.every(({ headline }) => headline.length < 1000)).toBe(true)
})

test('removes publishers and doubly escaped tags from feed titles', () => {
  const items = `<item><title>Acme raises $9M - The Daily Planet</title><link>/x</link>
      <source url="https://planet.example">The Daily Planet</source></item>
    <item><title>Acme &amp;lt;b&amp;gt;wins&amp;lt;/b&amp;gt; - again</title><link>/y</link></item>`
  const feed = `<rss version="2.0"><channel><title>t</title><link>https://a.example</link>${items}</channel></rss>`
  expect(readFeed(feed, 'https://a.example/feed')?.map(({ headline }) => headline)).toEqual([
    'Acme raises $9M',
    'Acme wins - again',
  ])
})

test('resolves relative links in a feed by xml:base or the URL of the feed', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://blog.acme.example/en/"><title>t</title>
    <entry xml:base="2026/"><title>Acme opens</title><link href="leeds"/></entry>
    <entry><title>Acme closes</title><link href="york"/></entry></feed>`
  expect(readFeed(atom, base)?.map(({ url }) => url)).toEqual([
    'https://blog.acme.example/en/2026/leeds',
    'https://blog.acme.example/en/york',
  ])
})

test.each(['0.91', '0.92', '0.94'])('reads RSS %s, without dates', (version) => {
  const feed = `<?xml version="1.0"?><rss version="${version}"><channel><title>t</title><link>https://acme.example</link>
    <item><title><![CDATA[Acme & Borden merge]]></title><link> https://acme.example/a </link></item></channel></rss>`
  expect(readFeed(feed, base)).toEqual([
    { url: 'https://acme.example/a', headline: 'Acme & Borden merge', lead: null, date: null },
  ])
})

test('reads RSS 0.90 with its namespace and HTML entities in titles', () => {
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/">
    <channel><title>t</title></channel><item><title>Acm&eacute; &amp;ndash; Borden&rsquo;s &#8220;deal&#8221;</title><link>/a</link></item></rdf:RDF>`
  expect(readFeed(rdf, base)?.map(({ headline }) => headline)).toEqual(['Acmé – Borden’s “deal”'])
})

test.each<[string, string, number[]]>([
  ['windows-1252', 'Café Acme', [...'Caf'].map((one) => one.charCodeAt(0)).concat(0xe9, 32, 65, 99, 109, 101)],
  ['shift_jis', '日本 Acme', [0x93, 0xfa, 0x96, 0x7b, 32, 65, 99, 109, 101]],
  ['gbk', '中国 Acme', [0xd6, 0xd0, 0xb9, 0xfa, 32, 65, 99, 109, 101]],
])('decodes a feed as declared: %s, with or without the charset in Content-Type', (charset, headline, title) => {
  const [head, tail] = ['<title>', '</title><link>/a</link></item></channel></rss>']
  const body = Buffer.concat([
    Buffer.from(`<?xml version="1.0" encoding="${charset}"?><rss version="2.0"><channel><title>t</title><item>${head}`),
    Buffer.from(title),
    Buffer.from(tail),
  ])
  for (const told of ['', charset])
    expect(readFeed(decodeText({ body, charset: told }), base)?.map((story) => story.headline)).toEqual([headline])
})

test('decodes a UTF-16 feed by the byte order mark despite other declarations', () => {
  const text = `\ufeff<?xml version="1.0" encoding="utf-8"?>${rss('<item><title>Ácme öffnet</title><link>/a</link></item>').slice(21)}`
  const little = Buffer.from(text, 'utf16le')
  const big = Buffer.from(little).swap16()
  for (const body of [little, big])
    for (const charset of ['', 'utf-8', 'iso-8859-1'])
      expect(readFeed(decodeText({ body, charset }), base)?.map(({ headline }) => headline)).toEqual(['Ácme öffnet'])
})
