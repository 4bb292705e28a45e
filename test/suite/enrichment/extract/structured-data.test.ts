import { describe, expect, it } from 'vitest'
import { parseStructuredData } from '../../../../src/enrichment/extract/structured-data.ts'
import type { StructuredItem, StructuredValue } from '../../../../src/enrichment/extract/structured-item.ts'
import { allItems, textsOf } from '../../../../src/enrichment/extract/structured-item.ts'

const url = 'https://acme.example/about'
const parse = (html: string) => parseStructuredData(html, url)
const ld = (json: string) => parse(`<script type="application/ld+json">${json}</script>`)
type Plain = string | number | boolean | { type: string; [property: string]: unknown }
/** Converts an item to a plain object. */
const plain = (item: StructuredItem): Plain => ({
  type: item.types.join(' '),
  ...Object.fromEntries(Object.entries(item.properties).map(([key, values]) => [key, values.map(plainValue)])),
})
const plainValue = (value: StructuredValue): Plain => (typeof value === 'object' ? plain(value) : value)

describe('JSON-LD', () => {
  it('reads an organization with an address and people from JSON-LD', () => {
    const [item] = ld(`{
      "@context": "https://schema.org", "@type": "Organization", "name": "Acme",
      "address": {"@type": "PostalAddress", "addressLocality": "Paris, France", "postalCode": "F-75002"},
      "numberOfEmployees": {"@type": "QuantitativeValue", "value": 42},
      "employee": [{"@type": "Person", "name": "Ann Invented", "jobTitle": "CEO"}, {"@type": "Person", "name": "Bo Invented"}]
    }`)
    expect(item).toMatchObject({ format: 'json-ld', types: ['Organization'] })
    expect(plain(item!)).toEqual({
      type: 'Organization',
      name: ['Acme'],
      address: [{ type: 'PostalAddress', addressLocality: ['Paris, France'], postalCode: ['F-75002'] }],
      numberOfEmployees: [{ type: 'QuantitativeValue', value: [42] }],
      employee: [
        { type: 'Person', name: ['Ann Invented'], jobTitle: ['CEO'] },
        { type: 'Person', name: ['Bo Invented'] },
      ],
    })
  })

  it('flattens a JSON-LD graph and resolves its references', () => {
    const items = ld(`{"@context": "https://schema.org", "@graph": [
      {"@type": "WebSite", "@id": "#site", "publisher": {"@id": "#org"}},
      {"@type": ["Organization", "Corporation"], "@id": "#org", "name": "Acme", "founder": {"@id": "#ann"}},
      {"@type": "Person", "@id": "#ann", "name": "Ann Invented", "worksFor": {"@id": "#org"}}
    ]}`)
    expect(items.map(({ types }) => types)).toEqual([['WebSite'], ['Organization', 'Corporation'], ['Person']])
    expect(textsOf(items[1]!, 'founder')).toEqual(['Ann Invented'])
    expect(textsOf(items[2]!, 'worksFor')).toEqual(['Acme'])
  })

  it.each([
    ['a trailing comma', '{"@type":"Organization","name":"Acme",}'],
    ['a comment', '{"@type":"Organization", /* the name */ "name":"Acme"}'],
    ['an HTML comment around it', '<!-- {"@type":"Organization","name":"Acme"} -->'],
    ['a CDATA section around it', '//<![CDATA[\n{"@type":"Organization","name":"Acme"}\n//]]>'],
    ['a line break in a string', '{"@type":"Organization","description":"one\ntwo","name":"Acme"}'],
    ['entities for quotes', '{&quot;@type&quot;:&quot;Organization&quot;,&quot;name&quot;:&quot;Acme&quot;}'],
    ['a closing semicolon', '{"@type":"Organization","name":"Acme"};'],
    ['single quotes', "{'@type':'Organization','name':'Acme'}"],
    ['a missing bracket at the end', '{"@type":"Organization","name":"Acme"'],
    ['a byte order mark', '\ufeff{"@type":"Organization","name":"Acme"}'],
    ['a list of one', '[{"@type":"Organization","name":"Acme"}]'],
    ['a type with its address', '{"@type":"http://schema.org/Organization","name":"Acme"}'],
    ['prefixed words', '{"@type":"schema:Organization","schema:name":"Acme"}'],
  ])('accepts JSON-LD with %s', (_, json) => {
    const items = ld(json)
    expect(items.map(({ types }) => types)).toEqual([['Organization']])
    expect(textsOf(items[0]!, 'name')).toEqual(['Acme'])
  })

  it('decodes entities within strings of JSON-LD', () => {
    expect(textsOf(ld('{"@type":"Organization","name":"Ash &amp; Birch"}')[0]!, 'name')).toEqual(['Ash & Birch'])
  })

  it('skips a JSON-LD script that is not JSON and keeps the others', () => {
    const html =
      '<script type="application/ld+json">not json at all</script><script type="application/ld+json">{"@type":"Person","name":"Ann"}</script>'
    expect(parse(html).map(({ types }) => types)).toEqual([['Person']])
  })

  it('stops at circular references and unbounded nesting in JSON-LD', () => {
    const circle = ld(
      '{"@graph":[{"@type":"A","@id":"#a","b":{"@id":"#b"}},{"@type":"B","@id":"#b","a":{"@id":"#a"}}]}',
    )
    expect(allItems(circle).length).toBeLessThan(10)
    const deep = `${'{"@type":"A","a":'.repeat(5000)}1${'}'.repeat(5000)}`
    expect(allItems(ld(deep)).length).toBeLessThan(100)
  })
})

describe('microdata', () => {
  it('reads each microdata property by the kind of its element', () => {
    const [item] = parse(`
      <div itemscope itemtype="https://schema.org/LocalBusiness" itemid="#acme">
        <h1><span itemprop="name">Acme</span></h1>
        <img itemprop="logo" src="/logo.png">
        <a itemprop="url" href="/">our site</a>
        <a href="tel:1" itemprop="telephone" content="+1 212 555 0100">call</a>
        <meta itemprop="numberOfEmployees" content="42">
        <time itemprop="foundingDate" datetime="1998-05-01">May 1998</time>
        <div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress">
          <span itemprop="streetAddress">1 Invented Way<br>Floor 2</span>, <span itemprop="addressLocality">Springfield</span>
        </div>
      </div>`)
    expect(item).toMatchObject({ format: 'microdata', id: '#acme' })
    expect(plain(item!)).toEqual({
      type: 'LocalBusiness',
      name: ['Acme'],
      logo: ['https://acme.example/logo.png'],
      url: ['https://acme.example/'],
      telephone: ['+1 212 555 0100'],
      numberOfEmployees: ['42'],
      foundingDate: ['1998-05-01'],
      address: [{ type: 'PostalAddress', streetAddress: ['1 Invented Way Floor 2'], addressLocality: ['Springfield'] }],
    })
  })

  it('keeps the properties of nested microdata items separate', () => {
    const [org] = parse(`<div itemscope itemtype="http://schema.org/Organization"><b itemprop="name">Acme</b>
      <ul><li itemprop="employee" itemscope itemtype="http://schema.org/Person"><i itemprop="name">Ann</i>, <i itemprop="jobTitle">CEO</i></li>
      <li itemprop="employee" itemscope itemtype="http://schema.org/Person"><a itemprop="name" href="/bo">Bo</a></li></ul></div>`)
    expect(textsOf(org!, 'name')).toEqual(['Acme'])
    expect(textsOf(org!, 'employee')).toEqual(['Ann', 'Bo'])
  })

  it('reads microdata with itemref and several names for one value, without following self-references', () => {
    const [item] = parse(`<div itemscope id="x" itemtype="http://schema.org/Person" itemref="more x"></div>
      <p id="more"><span itemprop="name alternateName">Ann</span></p>`)
    expect(plain(item!)).toEqual({ type: 'Person', name: ['Ann'], alternateName: ['Ann'] })
  })
})

describe('microdata with common template errors', () => {
  it('accepts a microdata type without `itemscope` as an item', () => {
    const [item] = parse(`<div itemscope itemtype="https://schema.org/Organization"><b itemprop="name">Acme</b>
      <p itemprop="founder" itemtype="https://schema.org/Person"><i itemprop="name">Ann Invented</i></p></div>`)
    expect(plain(item!)).toEqual({
      type: 'Organization',
      name: ['Acme'],
      founder: [{ type: 'Person', name: ['Ann Invented'] }],
    })
  })

  it('treats a microdata property outside any item as an item', () => {
    const items = parse(
      `<section><div itemprop="employee" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Bo Invented</b></div></section>`,
    )
    expect(items.map(plain)).toEqual([{ type: 'Person', name: ['Bo Invented'] }])
  })
})

describe('RDFa', () => {
  it('reads RDFa items, nested items and links', () => {
    const items = parse(`<div vocab="https://schema.org/" typeof="Corporation" resource="#us">
      <h1 property="name">Acme Tools</h1><a property="url" href="/">Home</a><link property="sameAs" href="https://acme.example/on/elsewhere">
      <p property="address" typeof="PostalAddress"><span property="addressLocality">Ghent</span></p>
      <ul><li property="employee" typeof="Person"><a property="name" href="/ann">Ann Invented</a>, <i property="jobTitle">Founder</i></li></ul>
    </div>`)
    expect(items.map(plain)).toEqual([
      {
        type: 'Corporation',
        name: ['Acme Tools'],
        url: ['https://acme.example/'],
        sameAs: ['https://acme.example/on/elsewhere'],
        address: [{ type: 'PostalAddress', addressLocality: ['Ghent'] }],
        employee: [{ type: 'Person', name: ['Ann Invented'], jobTitle: ['Founder'] }],
      },
    ])
  })

  it('reads prefixed RDFa names and ignores other vocabularies', () => {
    const items =
      parse(`<div typeof="schema:Person foaf:Person"><span property="schema:name foaf:name">Bo Invented</span>
      <meta property="og:title" content="No person"></div><div typeof="foaf:Person"><b property="foaf:name">Cy Invented</b></div>
      <div vocab="http://purl.org/dc/terms/" typeof="Agent"><b property="name">Di Invented</b></div>`)
    expect(items.map(plain)).toEqual([{ type: 'Person', name: ['Bo Invented'] }])
  })
})

describe('h-card', () => {
  it('skips h-cards when the page contains an invalid address, and still reads other formats', () => {
    const items = parse(`<div class="h-card"><a class="p-name u-url" href="//">Acme Tools</a></div>
      <script type="application/ld+json">{"@type": "Organization", "name": "Acme Tools"}</script>`)
    expect(items.map(({ format }) => format)).toEqual(['json-ld'])
  })

  it('reads an h-card of an organization with its people and an address next to the card', () => {
    const items = parse(`<div class="h-card h-org"><b class="p-name">Acme Tools</b>
      <p class="h-adr"><span class="p-locality">Ghent</span></p>
      <p class="p-agent h-card">Ann Invented</p></div>`)
    expect(items.map(plain)).toEqual([
      {
        type: 'Organization',
        name: ['Acme Tools'],
        address: [{ type: 'PostalAddress', addressLocality: ['Ghent'] }],
      },
      { type: 'Person', name: ['Ann Invented'] },
    ])
  })

  const card = (html: string) => plain(parse(html)[0]!)

  it('converts an h-card to a schema.org person', () => {
    expect(
      card(`<div class="h-card"><a class="p-name u-url" href="/ann">Ann Invented</a>
        <span class="p-job-title">Chief Executive</span> at <a class="p-org h-card" href="/">Acme</a>
        <a class="u-email" href="mailto:ann@acme.example">mail</a> <img class="u-photo" src="a.jpg" alt="Ann"></div>`),
    ).toEqual({
      type: 'Person',
      name: ['Ann Invented'],
      url: ['https://acme.example/ann'],
      jobTitle: ['Chief Executive'],
      worksFor: [{ type: 'Organization', name: ['Acme'], url: ['https://acme.example/'] }],
      email: ['mailto:ann@acme.example'],
      image: ['https://acme.example/a.jpg'],
    })
  })

  it('reads the name from the text of a bare h-card', () => {
    expect(card('<span class="h-card">Ann Invented</span>')).toMatchObject({ type: 'Person', name: ['Ann Invented'] })
    expect(card('<a class="h-card" href="/ann"><img alt="Ann Invented" src="/a.jpg"></a>')).toMatchObject({
      name: ['Ann Invented'],
    })
  })

  it('reads an h-card of an organization with its address', () => {
    expect(
      card(`<div class="h-card"><p class="p-name p-org">Acme</p><div class="p-adr h-adr"><span class="p-street-address">1 Invented Way</span>
        <span class="p-locality">Springfield</span> <span class="p-region">IL</span></div><data class="p-tel" value="+12175550100">call</data></div>`),
    ).toMatchObject({
      type: 'Organization',
      address: [{ streetAddress: ['1 Invented Way'], addressLocality: ['Springfield'], addressRegion: ['IL'] }],
      telephone: ['+12175550100'],
    })
  })

  it('collects address parts placed directly in an h-card', () => {
    expect(
      card('<p class="h-card"><b class="p-name p-org">Acme</b> <i class="p-locality">Springfield</i></p>'),
    ).toMatchObject({
      address: [{ type: 'PostalAddress', addressLocality: ['Springfield'] }],
    })
  })

  it('reads the classic hCard', () => {
    expect(
      card(
        '<div class="vcard"><span class="fn">Ann Invented</span>, <span class="title">Partner</span> <span class="org">Acme</span></div>',
      ),
    ).toMatchObject({ type: 'Person', name: ['Ann Invented'], jobTitle: ['Partner'], worksFor: ['Acme'] })
  })

  it('finds h-cards inside other microformats', () => {
    const items = parse('<article class="h-entry"><p class="p-author h-card">Ann Invented</p></article>')
    expect(items.map(plain)).toEqual([{ type: 'Person', name: ['Ann Invented'] }])
  })
})
