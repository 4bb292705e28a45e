import { describe, expect, test } from 'vitest'
import { parsePage } from '../../../../src/enrichment/extract/page.ts'
import { readScriptData } from '../../../../src/enrichment/extract/script-data.ts'
import { readScriptPeople } from '../../../../src/enrichment/people/script-people.ts'

const dataOf = (html: string) => readScriptData(parsePage(html, 'https://acme.example/team'))
const ADA = { name: 'Ada Byron', role: 'Chief Executive Officer' }
const BEN = { name: 'Ben Okri', role: 'Head of Design' }

describe('readScriptData', () => {
  test.each([
    ['a JSON script', `<script id="__NEXT_DATA__" type="application/json">{"team":${JSON.stringify([ADA])}}</script>`],
    ['a global', `<script>window.__STATE__ = {"team":${JSON.stringify([ADA])}}; start({ a: 1 })</script>`],
    ['a literal with bare keys', `<script>window.__NUXT__={team:[{name:"${ADA.name}",role:"${ADA.role}"}]}</script>`],
    [
      'a JSON string',
      `<script>window['__DATA__'] = JSON.parse(${JSON.stringify(JSON.stringify({ team: [ADA] }))})</script>`,
    ],
    [
      'indexed values',
      `<script type="application/json" id="__NUXT_DATA__">${JSON.stringify([{ team: 1 }, [2], { name: 3, role: 4 }, ADA.name, ADA.role])}</script>`,
    ],
  ])('reads script data in %s', (_, html) => {
    expect(dataOf(html)).toEqual([{ team: [ADA] }])
  })

  test('skips JSON-LD, code and broken literals in scripts', () => {
    const html = `<script type="application/ld+json">{"a":1}</script><script>const a = { b: 1 }</script><script>window.a = {"b": </script>`
    expect(dataOf(html)).toEqual([])
  })

  test.each(['window.a={', 'window.a=[', "window.a='", '__a__={"b":"'])('reads repeated %s in linear time', (unit) => {
    const started = performance.now()
    dataOf(`<script>${unit.repeat(50_000)}</script>`)
    expect(performance.now() - started).toBeLessThan(3000)
  })
})

describe('readScriptPeople', () => {
  test('reads people from lists of records with names and titles', () => {
    const people = readScriptPeople([{ page: { team: [ADA, BEN] } }])
    expect(people.map(({ name, title }) => [name, title])).toEqual([
      [ADA.name, ADA.role],
      [BEN.name, BEN.role],
    ])
  })

  test("recognizes people's titles under an unknown key", () => {
    const people = readScriptPeople([
      [
        { x: ADA.name, name: ADA.name, y: ADA.role },
        { name: BEN.name, y: BEN.role },
      ],
    ])
    expect(people.map(({ title }) => title)).toEqual([ADA.role, BEN.role])
  })

  test.each([
    [
      'names and titles',
      [
        ['q', 'w'],
        ['Ada Byron', 'Chief Executive Officer'],
        ['Ben Okri', 'Head of Design'],
      ],
    ],
    [
      'nested texts',
      [
        ['q', 'w'],
        [{ rendered: 'Ada Byron' }, ADA.role],
        [{ rendered: 'Ben Okri' }, BEN.role],
      ],
    ],
    [
      'lists of titles',
      [
        ['q', 'w'],
        [ADA.name, [ADA.role]],
        [BEN.name, [BEN.role]],
      ],
    ],
  ])('recognizes %s of people under unknown keys', (_, [keys = [], ...rows]) => {
    const records = rows.map((row) => Object.fromEntries(row.map((value, at) => [keys[at], value])))
    expect(readScriptPeople([{ page: records }]).map(({ name, title }) => [name, title])).toEqual([
      [ADA.name, ADA.role],
      [BEN.name, BEN.role],
    ])
  })

  test("recognizes people's first and last names under unknown keys", () => {
    const people = readScriptPeople([
      [
        { a: 'Ada', b: 'Byron', c: ADA.role },
        { a: 'Ben', b: 'Okri', c: BEN.role },
        { a: 'Chloe', b: 'Martin', c: 'Partner' },
      ],
    ])
    expect(people.map(({ name }) => name)).toEqual(['Ada Byron', 'Ben Okri', 'Chloe Martin'])
  })

  test("reads people's records by id, as in the state of Apollo and Redux", () => {
    const state = {
      'Person:1': { __typename: 'Person', fullName: ADA.name, role: ADA.role },
      'Person:2': { __typename: 'Person', fullName: BEN.name, role: BEN.role },
      'Page:1': { __typename: 'Page', title: 'Our Team' },
    }
    expect(readScriptPeople([{ apollo: state }]).map(({ name }) => name)).toEqual([ADA.name, BEN.name])
  })

  test("joins people's first and last names and reads nested fields", () => {
    const people = readScriptPeople([
      { items: [{ fields: { firstName: 'Ada', lastName: 'Byron', jobTitle: 'Partner', email: 'ada@acme.example' } }] },
    ])
    expect(people).toMatchObject([{ name: 'Ada Byron', title: 'Partner', email: 'ada@acme.example' }])
  })

  test.each([
    ['testimonials', { testimonials: [ADA, BEN] }],
    ['former people', { exCrew: [ADA, BEN] }],
    ['pets', { mascotas: [ADA, BEN] }],
    ['people of other companies', { items: [{ ...ADA, company: 'Other' }] }],
    [
      'products',
      {
        items: [
          { name: 'Growth Fund', type: 'fund' },
          { name: 'Value Fund', type: 'fund' },
        ],
      },
    ],
    ['posts by authors', { posts: [{ title: 'News', author: ADA }] }],
    ['the author of a page', { page: { author: ADA } }],
    ['authors under a key in another language', { innlegg: [{ title: 'Chief Executive Officer', forfattare: ADA }] }],
    ['customers under a key in another language', { klienci: [ADA, BEN] }],
    ['speakers under a key in another language', { ponentes: [ADA, BEN] }],
    ['credits', { photoCredits: { items: [ADA, BEN] } }],
    ['a section with a heading about customers', { heading: 'What our customers say', items: [ADA, BEN] }],
    ['a section with a type for testimonials', { _type: 'testimonialSection', content: { items: [ADA, BEN] } }],
    [
      'records with a type for testimonials',
      {
        items: [
          { ...ADA, __typename: 'Testimonial' },
          { ...BEN, __typename: 'Testimonial' },
        ],
      },
    ],
    ['records with numeric ratings', { items: [ADA, BEN].map((one) => ({ ...one, rating: 5 })) }],
    ['records with employers under a key in another language', { items: [{ ...ADA, empresa: 'Other' }] }],
    [
      'records with quotations under an unknown key',
      {
        items: [
          { ...ADA, a: '“They answered every question within a day.”' },
          { ...BEN, a: '„Die Einführung war nach einer Woche fertig.“' },
        ],
      },
    ],
    [
      'records with employers under an unknown key',
      {
        items: [
          { ...ADA, a: 'Northwind Freight Ltd' },
          { ...BEN, a: 'Seefeld Logistik GmbH' },
        ],
      },
    ],
    [
      'titles that name other companies',
      {
        items: [
          { name: ADA.name, role: 'CEO, Northwind Freight Ltd' },
          { name: BEN.name, role: 'Head of Design, Seefeld Logistik GmbH' },
        ],
      },
    ],
    [
      'products with prices',
      { items: [ADA, BEN].map(({ name }, at) => ({ name, title: 'Office Manager Chair', a: `€ ${at + 10}.00` })) },
    ],
    [
      'products and rooms with names of people',
      {
        items: [
          { name: ADA.name, title: 'Quay planning' },
          { name: BEN.name, title: 'The large meeting room' },
        ],
      },
    ],
    ['a single record without a certain title', { page: { highlight: { name: ADA.name, role: 'Quay planning' } } }],
  ])('reads no people from %s', (_, data) => {
    expect(readScriptPeople([data])).toEqual([])
  })

  test.each([
    ['partners of a law firm', { partners: [ADA, { ...BEN, role: 'Partner' }] }],
    ['agents of a broker', { agents: [ADA, { ...BEN, role: 'Real Estate Agent' }] }],
    ['staff with trades that are not known titles', { crew: [{ ...ADA, role: 'Zythologist' }, BEN] }],
    ['staff in a list beside a heading about customers', { heading: 'Our customers', team: [ADA, BEN] }],
    ['staff of one employer', { team: [ADA, BEN].map((one) => ({ ...one, a: 'Acme Holdings Ltd' })) }],
    [
      'titles that repeat one employer',
      { team: [ADA, BEN].map((one) => ({ ...one, role: `${one.role}, Acme Holdings Ltd` })) },
    ],
    ['staff under technical keys', { data: { attributes: { items: [ADA, BEN] } } }],
  ])('reads people from %s', (_, data) => {
    expect(readScriptPeople([data]).map(({ name }) => name)).toEqual([ADA.name, BEN.name])
  })

  test('skips the testimonials in a list of records of several types', () => {
    const items = [
      { ...ADA, type: 'staff' },
      { ...BEN, type: 'testimonial' },
    ]
    expect(readScriptPeople([{ items }]).map(({ name }) => name)).toEqual([ADA.name])
  })

  test("assigns a lower confidence to a person's record outside lists of staff", () => {
    const [staff] = readScriptPeople([{ team: [ADA] }])
    const [single] = readScriptPeople([{ highlight: [ADA] }])
    expect(single?.confidence).toBeLessThan(staff?.confidence ?? 0)
  })
})
