import { describe, expect, it } from 'vitest'
import { extractCompany } from '../../../../src/enrichment/company/extract-company.ts'
import { parsePage } from '../../../../src/enrichment/extract/page.ts'
import { structuredDataOf } from '../../../../src/enrichment/extract/structured-data.ts'
import type { CompanyField } from '../../../../src/findings/provider.ts'

/** Returns the most confident value of each field on a page. */
function read(html: string, domain = 'acmecapital.example') {
  const page = parsePage(html, `https://www.${domain}/`)
  const observations = extractCompany(
    [{ page, items: structuredDataOf(page, html) }],
    domain,
    '2026-01-01T00:00:00.000000Z',
  )
  const best: Partial<Record<CompanyField, unknown>> = {}
  for (const { field, value } of observations.toSorted((a, b) => a.confidence - b.confidence)) best[field] = value
  return best
}

describe('extractCompany', () => {
  it('reads JSON-LD about a company and normalizes it', () => {
    const html = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"FinancialService","name":"Acme Capital","legalName":"Acme Capital, LLC",
      "description":"Plans.","url":"https://acmecapital.example/","telephone":"(212) 555-0142","foundingDate":"1998-05-01","numberOfEmployees":{"@type":"QuantitativeValue","minValue":11,"maxValue":50},
      "logo":{"@type":"ImageObject","url":"https://acmecapital.example/logo.svg"},"sameAs":["https://twitter.com/acme","https://uk.linkedin.com/company/Acme-Capital/?trk=x"],
      "address":{"@type":"PostalAddress","streetAddress":"1 Paper Boat Quay","addressLocality":"Boston","addressRegion":"Massachusetts","postalCode":"02110","addressCountry":"US"}}</script>`
    expect(read(html)).toEqual({
      name: 'Acme Capital',
      legal_name: 'Acme Capital, LLC',
      description: 'Plans.',
      employee_range: '11-50',
      headquarters_street: '1 Paper Boat Quay',
      headquarters_city: 'Boston',
      headquarters_state: 'MA',
      headquarters_postal_code: '02110',
      headquarters_country: 'United States',
      phone: '+12125550142',
      social_url: 'https://www.linkedin.com/company/acme-capital',
      logo_url: 'https://acmecapital.example/logo.svg',
      founded_year: 1998,
    })
  })

  it('ignores organizations in structured data that are clients', () => {
    const html = `<script type="application/ld+json">[{"@type":"Organization","name":"Client Corp","url":"https://client.example"},
      {"@type":"Article","publisher":{"@type":"Organization","name":"Acme Capital","url":"https://www.acmecapital.example"}}]</script>`
    expect(read(html)).toEqual({ name: 'Acme Capital' })
  })

  it('reads company facts from pages without markup', () => {
    const html = `<head><title>Home | Acme Capital</title><meta name="description" content="Acme Capital is a private equity firm."></head>
      <body><header><a href="/"><img class="site-logo" src="/img/acme.png" alt="Acme"></a></header>
      <main><h1>Patient capital</h1><p>Founded in 1987, we back owner-led companies.</p><p>Today we are a team of 45 professionals.</p></main>
      <footer><p>12 Lanternfish Way, Suite 400<br>Denver, CO 80202</p><p>Phone: 303.555.0117 | Fax: 303.555.0118</p>
      <a href="https://www.linkedin.com/company/acme-capital">in</a><p>© 2001–2026 Acme Capital Partners, LP. All rights reserved.</p></footer></body>`
    expect(read(html)).toEqual({
      name: 'Acme Capital',
      legal_name: 'Acme Capital Partners, LP',
      description: 'Acme Capital is a private equity firm.',
      industry: 'private equity firm',
      naics_code: '523940',
      naics_title: 'Portfolio Management and Investment Advice',
      employee_count: 45,
      employee_range: '11-50',
      headquarters_street: '12 Lanternfish Way, Suite 400',
      headquarters_city: 'Denver',
      headquarters_state: 'CO',
      headquarters_postal_code: '80202',
      headquarters_country: 'United States',
      phone: '+13035550117',
      social_url: 'https://www.linkedin.com/company/acme-capital',
      logo_url: 'https://www.acmecapital.example/img/acme.png',
      founded_year: 1987,
    })
  })

  it.each([
    [
      '12 Inkwell Square, London EC2A 4BX, United Kingdom',
      { headquarters_city: 'London', headquarters_postal_code: 'EC2A 4BX', headquarters_country: 'United Kingdom' },
    ],
    [
      'Fabelweg 3<br>10115 Berlin<br>Deutschland',
      { headquarters_street: 'Fabelweg 3', headquarters_city: 'Berlin', headquarters_country: 'Germany' },
    ],
    [
      '9 Half Moon Stairs<br>Sydney NSW 2000',
      { headquarters_city: 'Sydney', headquarters_state: 'NSW', headquarters_country: 'Australia' },
    ],
    [
      '4 Marzipan Row, Toronto, ON M5V 2T6',
      { headquarters_city: 'Toronto', headquarters_state: 'ON', headquarters_country: 'Canada' },
    ],
    [
      '81 Inkwell Square<br>St. Louis, Missouri 63101-1234',
      { headquarters_city: 'St. Louis', headquarters_state: 'MO', headquarters_postal_code: '63101-1234' },
    ],
  ])('reads the address "%s"', (text, address) => {
    expect(read(`<body><footer><p>${text}</p></footer></body>`)).toMatchObject(address)
  })

  it('returns no company facts that the page does not state', () => {
    const html =
      '<title>Just another site</title><body><p>Over 200 years of combined experience since 2004 in 35 countries.</p><p>Call 12345</p></body>'
    expect(read(html)).toEqual({})
  })
})

describe('an address in a footer', () => {
  const address = (lines: string) => {
    const found = read(`<footer><p>${lines}</p></footer>`)
    return [
      found.headquarters_street,
      found.headquarters_city,
      found.headquarters_state,
      found.headquarters_postal_code,
    ]
  }

  it.each([
    [
      '(503) 555-0117 | info@x.example | 2828 Paper Boat Avenue, Suite 135, Portland, OR 97201 | Copyright © 2014',
      '2828 Paper Boat Avenue, Suite 135',
      'Portland',
      'OR',
      '97201',
    ],
    ['Ice cream trucks - 325 Cherry Street Bridgeport, CT 06605', '325 Cherry Street', 'Bridgeport', 'CT', '06605'],
    ['411 Made-up Pkwy<br>Suite 12 Concord, ON L4K 0A8', '411 Made-up Pkwy, Suite 12', 'Concord', 'ON', 'L4K 0A8'],
    ['555 N Nowhere Drive<br>Aurora, IL. 60504', '555 N Nowhere Drive', 'Aurora', 'IL', '60504'],
    [
      '1300 Invented Avenue, N.W.<br>Washington, D.C. 20577, USA',
      '1300 Invented Avenue, N.W.',
      'Washington',
      'DC',
      '20577',
    ],
    [
      '12 Sample Row, Cheltenham, Gloucestershire, GL50 1AA',
      '12 Sample Row',
      'Cheltenham',
      'Gloucestershire',
      'GL50 1AA',
    ],
    ['Sample House<br>4 Mock Lane<br>Wilmslow<br>Cheshire<br>SK9 1AA', undefined, 'Wilmslow', 'Cheshire', 'SK9 1AA'],
  ])('reads the address in a footer: %s', (lines, street, city, state, code) => {
    const found = address(lines)
    expect(found.slice(1)).toEqual([city, state, code])
    if (street) expect(found[0]).toBe(street)
  })

  it('ignores a city inside a sentence in a footer', () => {
    expect(address('Ships to Denver, CO 80202 and elsewhere within 12 days.')).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

it.each([
  ['without a label and a country', '<p>Write to us or ring 303-555-0117 any day</p>', '+13035550117'],
  ['before a fax on one line', '<p>TEL: 803-555-0187 FAX: 803-555-0609</p>', '+18035550187'],
])('finds a telephone number %s', (_, html, number) => {
  expect(read(html).phone).toBe(number)
})

it('ignores numbers that are not telephone numbers', () => {
  expect(read('<p>Order number 303 555 0100 1234, lot 212-555-0142-9</p>').phone).toBeUndefined()
})

it("reads the company's name from the logo or copyright when the title lacks it", () => {
  expect(read('<title></title><header><a href="/"><img src="/a.png" alt="Acme Capital logo"></a></header>').name).toBe(
    'Acme Capital',
  )
  expect(read('<title>Home</title><footer>© 2024 Acme Capital. All rights reserved.</footer>').name).toBe(
    'Acme Capital',
  )
  expect(read('<title>Acme Capital, plans for every pond in Ghent</title>').name).toBe('Acme Capital')
  expect(read('<title>Home</title><header><img class="logo" alt="Some Sponsor logo"></header>').name).toBeUndefined()
})

it.each([
  [
    'a service that it sells',
    '{"@type":"Service","name":"Acme Capital Tax Plans","provider":{"@type":"Organization","name":"Acme Capital"}}',
  ],
  [
    'an article that it publishes',
    '{"@type":"Article","headline":"x","publisher":{"@type":"Organization","name":"Acme Capital"},"about":{"@type":"Corporation","name":"Client Corp","url":"https://client.example"}}',
  ],
  [
    'a specific organisation type',
    '[{"@type":["Winery","LocalBusiness"],"name":"Acme Capital","url":"https://acmecapital.example"},{"@type":"Organization","name":"Sponsor"}]',
  ],
  [
    'a graph',
    '{"@graph":[{"@type":"WebPage","isPartOf":{"@id":"#site"}},{"@type":"WebSite","@id":"#site","name":"Blog","publisher":{"@id":"#org"}},{"@type":["Organization","Place"],"@id":"#org","name":"Acme Capital","url":"https://acmecapital.example/"}]}',
  ],
])('distinguishes the company from %s', (_, json) => {
  expect(read(`<script type="application/ld+json">/*<![CDATA[*/${json}/*]]>*/</script>`).name).toBe('Acme Capital')
})

it('reads a legal name before the copyright sign and keeps its dots', () => {
  expect(read('<footer>Acme Capital Pty Ltd © 2026</footer>').legal_name).toBe('Acme Capital Pty Ltd')
  expect(read('<footer>©2003– Acme Capital, L.P. | Privacy</footer>').legal_name).toBe('Acme Capital, L.P.')
})

it.each([
  ['Bolaget grundades 2003.', 2003],
  ['Firma powstała w 2011 roku.', 2011],
  ['1967 yılında kurulan atölyemiz', 1967],
  ['1988年の創業以来', 1988],
  ['Yritys perustettiin vuonna 1999 Savonlinnassa.', 1999],
])('reads the founding year from "%s"', (sentence, year) => {
  expect(read(`<title>Acme Capital</title><p>${sentence}</p>`).founded_year).toBe(year)
})
