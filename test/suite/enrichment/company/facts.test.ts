import { describe, expect, it } from 'vitest'
import { numbersIn, yearsIn } from '../../../../src/enrichment/company/facts/numbers.ts'
import { mentionsIn } from '../../../../src/enrichment/company/facts/organisations.ts'
import { readFacts } from '../../../../src/enrichment/company/facts/read-facts.ts'
import { readPlace } from '../../../../src/enrichment/company/facts/read-place.ts'
import { stateOfCity } from '../../../../src/enrichment/company/facts/state-of-city.ts'
import { parsePage } from '../../../../src/enrichment/extract/page.ts'

const NOW = new Date('2026-06-01T00:00:00Z')

/** Extracts the facts of a site from its pages, given as titles and bodies with the home page first. */
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

  it.each([
    [
      'a short form in prose',
      'tallowgate.example',
      'Tallowgate Machine & Tool Company',
      '<p>Tallowgate Machine & Tool Company is a machine shop.</p><p>Tallowgate Machine & Tool quotes within a day.</p>',
      ['Tallowgate Machine & Tool', 'Tallowgate Machine & Tool Company'],
    ],
    [
      'a name followed by a city',
      'linden-physio.example',
      'Linden Physio Kilkenny',
      '<p>Linden Physio treats knees.</p><p>At Linden Physio you meet Ann.</p><footer>Linden Physio, 4 Mill Street, Kilkenny</footer>',
      ['Linden Physio', 'Linden Physio Kilkenny'],
    ],
    [
      'a name in another script than the domain',
      'kitamori.example',
      '北森商事',
      '<p>北森商事は輸入食品の専門商社です。</p><footer>© 北森商事株式会社</footer>',
      ['北森商事'],
    ],
  ])('reads %s', (_, domain, name, body, accepted) => {
    const link = `<header><a href="/">${name}</a></header>`
    const found = read(domain, 'en', [
      [name, `${link}${body}`],
      [`Contact | ${name}`, `${link}<p>Write to us.</p>`],
    ])
    expect(accepted).toContain(found['name'])
  })

  it('reads the headcount of a fact sheet, whose next row contains a year', () => {
    const found = read('fjordmerd.no', 'nb', [
      [
        'Fjordmerd',
        '<header><a href="/">Fjordmerd</a></header><table><tr><td>Ansatte</td><td>31</td></tr><tr><td>Omsetning 2025</td><td>412 mill. kroner</td></tr></table>',
      ],
    ])
    expect(found).toMatchObject({ employee_count: 31 })
    expect(found).not.toHaveProperty('headquarters_city')
  })

  it('reads a legal name at the end of a clause that starts a line', () => {
    const found = read('ardmoyle.example', 'en', [
      [
        'Ardmoyle',
        '<header><a href="/">Ardmoyle</a></header><p>This website is operated by Ardmoyle Kitchens Limited, registered in Ireland.</p>',
      ],
    ])
    expect(found).toMatchObject({ legal_name: 'Ardmoyle Kitchens Limited' })
  })

  it('ignores company facts of other organizations', () => {
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

  it('does not mistake parts of addresses, periods or phone numbers for years or headcounts', () => {
    const found = read('kilnworks.example', 'en', [
      [
        'Kilnworks | pottery',
        '<header><a href="/">Kilnworks</a></header><p>Ada Lunn (1924–2009) taught us.</p><p>2015 Mill Lane, Dayton, OH 45402</p><p>Tel. (937) 555-0142</p>',
      ],
    ])
    expect(found).not.toHaveProperty('founded_year')
    expect(found).not.toHaveProperty('employee_count')
  })

  it("does not return a part of the company's name as the industry", () => {
    const found = read('cobaltheron.example', 'en', [
      [
        'Cobalt Heron Software: rota planning',
        '<p>Cobalt Heron makes rotas.</p><p>Cobalt Heron was started by two dog walkers.</p>',
      ],
    ])
    expect(found['industry']).not.toBe('Cobalt Heron')
  })

  it('returns the phrase that describes the business, without the place and the clientele', () => {
    const found = read('quernmoor.example', 'en', [
      [
        'Quernmoor – since the flood',
        '<header><a href="/">Quernmoor</a></header><h1>Come in</h1><p>Quernmoor is a manufacturer of stone mills in the heart of Calder. We answer the phone.</p>',
      ],
    ])
    expect(found['industry']).toBe('manufacturer of stone mills')
  })

  it('adds the state that the title names after the city', () => {
    const found = read('quillford.com', 'en-US', [
      [
        'Quillford Saddlery | Boise, Idaho',
        '<header><a href="/">Quillford Saddlery</a></header><footer><p>Quillford Saddlery LLC, 512 Gravel Avenue, Boise 83702, USA</p></footer>',
      ],
    ])
    expect(found).toMatchObject({ headquarters_city: 'Boise', headquarters_state: 'ID' })
  })

  it('takes the founding year from the event of a timeline, not from earlier or later events', () => {
    const found = read('brackwerth.example', 'de', [
      [
        'Brackwerth',
        '<header><a href="/">Brackwerth</a></header><h2>1929</h2><p>Der Großvater kauft die erste Esse.</p><h2>1961</h2><p>Karl Brackwerth gründet die Firma.</p><h2>2005</h2><p>Neubau der Halle.</p>',
      ],
    ])
    expect(found['founded_year']).toBe(1961)
  })

  it('does not take the year in which a person joined for the founding year', () => {
    const found = read('lindmoor.example', 'en', [
      [
        'Lindmoor',
        '<header><a href="/">Lindmoor</a></header><p>Ada Crane<br>Director<br>Here since 2009, a partner since 2014.</p>',
      ],
    ])
    expect(found).not.toHaveProperty('founded_year')
  })

  it('reads a telephone number that is followed by the ending of a second number', () => {
    const found = read('pellworm-bau.de', 'de', [
      ['Pellworm Bau', '<p>Pellworm Bau<br>Hafenweg 3<br>20457 Hamburg<br>Tel. 040 5550 180 / 81</p>'],
    ])
    expect(found['phone']).toBe('+49405550180')
  })

  it('reads an address that other sentences follow', () => {
    const found = read('hallbergs-snickeri.example', 'sv', [
      [
        'Hallbergs Snickeri',
        '<p>Hallbergs Snickeri</p><footer>Bruksgatan 5, 931 30 Skellefteå, Sverige. Org.nr 556000-1234</footer>',
      ],
    ])
    expect(found).toMatchObject({ headquarters_city: 'Skellefteå', headquarters_country: 'Sweden' })
  })

  it('reads the address of a record in the data of scripts', () => {
    const data =
      'window.__PRELOADED_STATE__={"office":{"street":"4 Quay Road","city":"Durban","province":"KwaZulu-Natal","postal":"4001","country":"South Africa"}}'
    const found = read('ridgecold.co.za', 'en', [['Ridge Cold', `<p>Ridge Cold</p><script>${data}</script>`]])
    expect(found).toMatchObject({ headquarters_city: 'Durban', headquarters_state: 'KwaZulu-Natal' })
  })

  it('reads company facts from the data of scripts', () => {
    const data =
      'window.__NUXT__=(function(a,b){return {data:[{facts:[{label:"medarbetare",value:"31"}],about:"Sedan 2003 har vi byggt båtar."}],state:b,ok:a}}(true,null));'
    const found = read('fjordvarv.se', 'sv', [['Fjordvarv', `<p>Fjordvarv</p><script>${data}</script>`]])
    expect(found).toMatchObject({ employee_count: 31, founded_year: 2003 })
  })
})

describe('readPlace', () => {
  it.each([
    ['IE', 'Main Street, Dingle, Co. Kerry V92 X2Y3', 'Dingle', 'Co. Kerry'],
    ['NZ', '18 Tory Street, Te Aro, Wellington 6011', 'Wellington', undefined],
    ['CH', 'Via Nassa 4, 6900 Lugano TI', 'Lugano', 'TI'],
    ['FR', '5 quai Nord, F-13002 Marseille Cedex 02', 'Marseille', undefined],
    ['LU', '4, rue du Fort, L-2230 Luxembourg', 'Luxembourg', undefined],
    ['ES', 'C/ Real, 14, 15003 A Coruña (Galicia)', 'A Coruña', 'Galicia'],
    ['BR', 'Av. Paulista 1000 – São Paulo/SP – CEP 01310-100', 'São Paulo', 'SP'],
    ['MX', 'Calle 5 No. 10, Mérida, Yucatán, C.P. 97000', 'Mérida', 'Yucatán'],
    ['DK', 'Havnegade 12, 8000 Aarhus C', 'Aarhus', undefined],
    ['LT', 'Laisvės al. 12, Kaunas, LT-44240', 'Kaunas', undefined],
    ['RO', 'Str. Republicii nr. 12, Cluj-Napoca, 400015, jud. Cluj', 'Cluj-Napoca', 'Cluj'],
    ['TR', 'Atatürk Cad. No: 12, 35210 Konak/İzmir', 'İzmir', undefined],
    ['UA', '79000, м. Львів, вул. Городоцька, 5', 'Львів', undefined],
    ['IL', 'רחוב הרצל 12, תל אביב 6688312', 'תל אביב', undefined],
    ['AE', 'P.O. Box 12345, Abu Dhabi, UAE', 'Abu Dhabi', undefined],
    ['HK', 'Room 1203, 88 Queen’s Road Central, Hong Kong', 'Hong Kong', undefined],
    ['TH', '12 ถนนนิมมานเหมินท์ อ.เมือง จ.เชียงใหม่ 50200', 'เชียงใหม่', undefined],
    ['VN', '12 Nguyễn Huệ, Quận 1, TP. Hồ Chí Minh', 'Hồ Chí Minh', undefined],
    ['ZA', '4 Church St, Stellenbosch 7600, Western Cape', 'Stellenbosch', 'Western Cape'],
  ])('reads the city and region of an address in %s', (country, text, city, state) => {
    const statement = { text, label: '', area: 'main' as const, page: 0, language: '', block: 0 }
    const address = readPlace(statement, [text], country)?.address
    expect([address?.city, address?.state]).toEqual([city, state])
  })

  it.each([
    ['SE', 'Bruksgatan 5, 931 30 Skellefteå, Sverige', 'Skellefteå'],
    ['ID', 'Jalan Merdeka 14, Surakarta, Jawa Tengah', 'Surakarta'],
    ['VN', '9 Trần Phú, Hải Châu, Đà Nẵng, Việt Nam', 'Đà Nẵng'],
    ['KR', '대구광역시 중구 달구벌대로 10', '대구광역시'],
    ['CN', '中国江苏省苏州市工业园区', '苏州市'],
    ['AU', 'Old Widow Shiraz 2022', undefined],
    ['NO', 'Stillingen er ledig fra 1. juni 2026 Turnus', undefined],
  ])('reads the city of an address in %s: %s', (country, text, city) => {
    const statement = { text, label: '', area: 'main' as const, page: 0, language: '', block: 0 }
    expect(readPlace(statement, [text], country)?.address.city).toBe(city)
  })

  it('does not mistake a year in a sentence for a postcode', () => {
    const text = 'Dr. Heribert Kranzl, der die Praxis 2006 gegründet hat'
    const statement = { text, label: '', area: 'main' as const, page: 0, language: 'de', block: 0 }
    expect(readPlace(statement, [text], 'AT')).toBeUndefined()
  })
})

describe('stateOfCity', () => {
  const find = (text: string, city: string, country: string): string | undefined =>
    stateOfCity(
      {
        domain: 'example.com',
        pages: [],
        titles: [],
        statements: [{ text, label: '', area: 'main', page: 0, language: 'en', block: 0 }],
        ownWords: new Set(),
        names: new Set(),
        now: NOW,
      },
      city,
      country,
    )?.state

  it.each([
    ['Our mill stands in Cossato (BI).', 'Cossato', 'IT', 'BI'],
    ['Made in Duluth, MN since 1950', 'Duluth', 'US', 'MN'],
    ['Pune 411045, Maharashtra, India', 'Pune', 'IN', 'Maharashtra'],
    ['Visit us in Geelong Victoria', 'Geelong', 'AU', 'Victoria'],
  ])('finds the state in %s', (text, city, country, state) => {
    expect(find(text, city, country)).toBe(state)
  })

  it.each([
    ['We work in Bend or nearby.', 'Bend', 'US'],
    ['Bend IN the willow, not the oak', 'Bend', 'US'],
    ['Romania, Cluj', 'Roma', 'RO'],
    ['From Denver, our people travel to Kansas.', 'Denver', 'US'],
  ])('does not find a state in %s', (text, city, country) => {
    expect(find(text, city, country)).toBeUndefined()
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
    ['Becker UG (haftungsbeschränkt), Ulm', 'Becker UG (haftungsbeschränkt)'],
    ['© 2025 SIA Bērzs', 'SIA Bērzs'],
    ['© 2026 Công ty TNHH Sao Mai', 'Công ty TNHH Sao Mai'],
    ['Dolný vrch, s.r.o. · Hlavná 1', 'Dolný vrch, s.r.o.'],
    ['법무법인(유한) 새벽길 | 대표변호사', '법무법인(유한) 새벽길'],
    ['青葉酒造合資会社', '青葉酒造合資会社'],
    ['The Alder Lane Trust. Registered charity', 'The Alder Lane Trust'],
  ])('finds the organization in %j', (text, name) => {
    expect(mentionsIn(text).map((mention) => mention.name)).toEqual([name])
  })

  it('reads the names of several partners as one name, and also without the first one', () => {
    expect(mentionsIn('© 2026 Bell, Cho & Diaz, P.C.').map(({ name }) => name)).toEqual([
      'Bell, Cho & Diaz, P.C.',
      'Cho & Diaz, P.C.',
    ])
  })

  it('does not mistake a state in an address for a legal form', () => {
    expect(mentionsIn('Hollow Creek Road, Reno, NV 89501')).toEqual([])
  })

  it('does not mistake an ordinary word for a legal form', () => {
    expect(mentionsIn('We work as a private company in Spain as well.')).toEqual([])
  })
})

describe('numbers', () => {
  it("reads numbers spelled out in the page's language", () => {
    expect(numbersIn('Wir sind vierzehn', 'de').map(({ value }) => value)).toEqual([14])
    expect(numbersIn('Zu neunt bauen wir Öfen', 'de').map(({ value }) => value)).toEqual([9])
    expect(numbersIn('Dnes je nás třiadvacet', 'cs').map(({ value }) => value)).toEqual([23])
    expect(numbersIn('Тепер нас двадцять шестеро', 'uk').map(({ value }) => value)).toEqual([26])
    expect(numbersIn('Nasz zespół liczy szesnaście osób', 'pl').map(({ value }) => value)).toEqual([16])
  })

  it('reads numbers beside letters of scripts without spaces', () => {
    expect(numbersIn('现有员工380人', 'zh').map(({ value }) => value)).toEqual([380])
    expect(numbersIn('the A380 and the x12', 'en')).toEqual([])
  })

  it('reads Japanese eras, and ignores future years', () => {
    expect(yearsIn('昭和43年創業', NOW).map(({ value }) => value)).toEqual([1968])
    expect(yearsIn('by 2031', NOW)).toEqual([])
  })
})
