import { describe, expect, it } from 'vitest'
import { numbersIn, yearsIn } from '../../../../src/enrichment/company/facts/numbers.ts'
import { mentionsIn } from '../../../../src/enrichment/company/facts/organisations.ts'
import { readFacts } from '../../../../src/enrichment/company/facts/read-facts.ts'
import { parsePage } from '../../../../src/enrichment/extract/page.ts'

const NOW = new Date('2026-06-01T00:00:00Z')

/** Facts of a site whose pages are given as titles and bodies, the home page first. */
function read(domain: string, language: string, pages: [title: string, body: string][]) {
  const parsed = pages.map(([title, body], place) =>
    parsePage(
      `<html lang="${language}"><head><title>${title}</title></head><body>${body}</body></html>`,
      `https://${domain}/${place === 0 ? '' : place}`,
    ),
  )
  return Object.fromEntries(readFacts(parsed, domain, [], NOW).map(({ field, value }) => [field, value]))
}

describe('readFacts', () => {
  it('reads a Czech site without structured data', () => {
    const found = read('dubovka-okna.cz', 'cs', [
      [
        'Dubovka | výroba dřevěných oken',
        '<header><a href="/">Dubovka</a></header><p>Od roku 1994 vyrábíme okna. Je nás dvacet osm.</p><footer>© Dubovka Okna s.r.o.</footer>',
      ],
      [
        'Kontakt | Dubovka',
        '<header><a href="/">Dubovka</a></header><h1>Kontakt</h1><p>Dubovka Okna s.r.o.<br>Lipová 12<br>586 01 Jihlava<br>Tel. +420 567 555 012<br>Fax +420 567 555 013</p>',
      ],
    ])
    expect(found).toMatchObject({
      name: 'Dubovka',
      legal_name: 'Dubovka Okna s.r.o.',
      founded_year: 1994,
      employee_count: 28,
      headquarters_city: 'Jihlava',
      headquarters_postal_code: '586 01',
      headquarters_country: 'Czechia',
      phone: '+420567555012',
    })
  })

  it('ignores facts of other organizations', () => {
    const found = read('tarnhelm.example', 'en', [
      [
        'Tarnhelm | Custody services',
        '<p>Assets are held at Northlake Custody Corporation of Omaha, NE (founded 1971, about 2,300 employees).</p><p>Website by Pixel Forge Ltd, since 2012.</p>',
      ],
      ['About | Tarnhelm', '<p>Tarnhelm looks after family records.</p>'],
    ])
    expect(found).not.toHaveProperty('founded_year')
    expect(found).not.toHaveProperty('employee_count')
    expect(found).not.toHaveProperty('legal_name')
  })

  it('reads facts from the data of scripts', () => {
    const data =
      'window.__NUXT__=(function(a,b){return {data:[{facts:[{label:"medarbetare",value:"31"}],about:"Sedan 2003 har vi byggt båtar."}],state:b,ok:a}}(true,null));'
    const found = read('fjordvarv.se', 'sv', [['Fjordvarv', `<p>Fjordvarv</p><script>${data}</script>`]])
    expect(found).toMatchObject({ employee_count: 31, founded_year: 2003 })
  })
})

describe('mentionsIn', () => {
  it.each([
    ['© 1987–2026 Cindercoast Freight, Inc. All rights reserved.', 'Cindercoast Freight, Inc.'],
    ['Copyright Acme Holdings Company Ltd', 'Acme Holdings Company Ltd'],
    ['UAB "Pavyzdys" teikia paslaugas', 'UAB "Pavyzdys"'],
    ['ООО «Ромашка», Москва', 'ООО «Ромашка»'],
    ['商号 株式会社青空製作所', '株式会社青空製作所'],
    ['Müller & Söhne GmbH & Co. KG, Bonn', 'Müller & Söhne GmbH & Co. KG'],
  ])('finds the organization in %j', (text, name) => {
    expect(mentionsIn(text).map((mention) => mention.name)).toEqual([name])
  })

  it('takes no ordinary word for a legal form', () => {
    expect(mentionsIn('We work as a private company in Spain as well.')).toEqual([])
  })
})

describe('numbers', () => {
  it('reads numbers in words of the language', () => {
    expect(numbersIn('Wir sind vierzehn', 'de').map(({ value }) => value)).toEqual([14])
    expect(numbersIn('Nasz zespół liczy szesnaście osób', 'pl').map(({ value }) => value)).toEqual([16])
  })

  it('reads Japanese eras, and no years of the future', () => {
    expect(yearsIn('昭和43年創業', NOW).map(({ value }) => value)).toEqual([1968])
    expect(yearsIn('by 2031', NOW)).toEqual([])
  })
})
