import { describe, expect, it } from 'vitest'
import { countryOfSite } from '../../../../src/enrichment/company/facts/country-of-site.ts'
import { yearsIn } from '../../../../src/enrichment/company/facts/numbers.ts'
import { mentionsIn } from '../../../../src/enrichment/company/facts/organisations.ts'
import { placeInProse } from '../../../../src/enrichment/company/facts/place-in-prose.ts'
import { readPlace } from '../../../../src/enrichment/company/facts/read-place.ts'
import { readSiteText } from '../../../../src/enrichment/company/facts/site-text.ts'
import { parsePage } from '../../../../src/enrichment/extract/page.ts'

const placeIn = (text: string, home?: string) =>
  readPlace({ text, label: '', area: 'main', page: 0, language: '', block: 0 }, [text], home)?.address

describe('readPlace', () => {
  it.each([
    ['Unit 6, Clarence Works, Leeds LS10', 'GB', { city: 'Leeds', postal_code: 'LS10' }],
    ['18 Cowslip Passage, London EC1M, United Kingdom', undefined, { city: 'London', postal_code: 'EC1M' }],
    ['Long Walk House, Chandlers Road, Galway, Ireland', 'IE', { city: 'Galway' }],
    ['77 Slip Lane, Lunenburg, Nova Scotia, Canada B0J 2C0', undefined, { city: 'Lunenburg', postal_code: 'B0J 2C0' }],
    ['Lale Cad. No: 55, Osmangazi / Bursa, Türkiye', 'TR', { city: 'Bursa' }],
    ['Av. Cortines 4410, Monterrey, Nuevo León, México · Tel. (81) 5555 0134', 'MX', { city: 'Monterrey' }],
    ['Số 45 đường Văn Lũy, Thủ Dầu Một, tỉnh Bình Dương', 'VN', { city: 'Thủ Dầu Một', state: 'Bình Dương' }],
    ['99 หมู่ 4 ต.ท่าเสา อ.ไทรโยค จ.กาญจนบุรี 71150', 'TH', { city: 'ไทรโยค', state: 'กาญจนบุรี' }],
    ['99 ถ.หลัก อ.เมือง จ.กาญจนบุรี 71000', 'TH', { city: 'กาญจนบุรี' }],
    ['苏州工业园区东旺路55号', 'CN', { city: '苏州' }],
    ['רחוב הדקל 18, חיפה', 'IL', { city: 'חיפה' }],
    ['شارع النور، مجمع السلام، الطابق الرابع، عمّان، الأردن', 'JO', { city: 'عمّان' }],
    ['Liman Cad. No: 41 Akdeniz / Mersin', 'TR', { city: 'Mersin' }],
    ['서울 중구 을지로 999 동화빌딩 803호', 'KR', { city: '서울' }],
    ['湖南长沙雨花区劳动东路999号', 'CN', { city: '长沙', state: '湖南' }],
    ['Số 9 ngõ 99 Lê Thánh Tông, quận Ngô Quyền, Hải Phòng', 'VN', { city: 'Hải Phòng' }],
    ['تهران، خیابان مطهری، پلاک 999', 'IR', { city: 'تهران' }],
    ['18 Federal Street, Wiscasset, Maine · 207-555-0126', 'US', { city: 'Wiscasset', state: 'Maine' }],
    ['4810 Sterling Creek Rd, Jacksonville, Oregon / 541-555-0137', 'US', { city: 'Jacksonville', state: 'Oregon' }],
    ['Shore Road, Killybegs, Co. Donegal', 'IE', { city: 'Killybegs' }],
    ['Mart Road, Hexham NE46', 'GB', { city: 'Hexham', postal_code: 'NE46' }],
    ['Rua dos Marmeleiros, 250 - Poços de Caldas - Minas Gerais - Brasil', 'BR', { city: 'Poços de Caldas' }],
    ['120, route Bégin, Saint-Anselme (Québec) Canada G0R 0X0', 'CA', { city: 'Saint-Anselme' }],
    ['Otoška cesta 9, 8000 Novo mesto, Slovenija', 'SI', { city: 'Novo mesto' }],
  ] as const)('reads %s', (text, home, address) => {
    expect(placeIn(text, home)).toMatchObject(address)
  })

  it('does not mistake a list of countries for an address', () => {
    expect(placeIn('Offices in England, Wales, Scotland, Ireland', 'GB')).toBeUndefined()
  })
})

it('reads a city with its region in a sentence', () => {
  const found = placeInProse('A physiotherapy clinic in downtown Orillia, Ontario. Open since 2005.', 'CA')
  expect(found?.address).toEqual({ city: 'Orillia', state: 'ON', country: 'Canada' })
  expect(placeInProse('Ships to Denver, CO and elsewhere', 'US')).toBeUndefined()
})

describe('countryOfSite', () => {
  const countryOf = (text: string, language = '') =>
    countryOfSite(
      readSiteText(
        [parsePage(`<html lang="${language}"><body><p>${text}</p></body></html>`, 'https://acme.example/')],
        'acme.example',
        new Date(0),
      ),
    )

  it.each([
    ['912 Water Street, Port Townsend. Call 360-555-0128.', 'en', 'US'],
    ['1 Whitlock Sq, Marietta, Georgia 30064. (770) 555-0121', '', 'US'],
    ['14 Cove Road, Shelburne, Nova Scotia B0T 1W0. 902-555-0148', '', 'CA'],
    ['Widdop Road, Leeds HX7 1AA. Telephone 01632 960355', 'en', 'GB'],
    ['Shore Road, Killybegs, Co. Donegal', 'en', 'IE'],
    ['Tel. 284 550 119', 'pt', 'PT'],
    ['سلطنة عُمان، صحار، سلطنة عُمان', 'ar', 'OM'],
    ['서울 중구', '', 'KR'],
  ])('derives the country from %s', (text, language, country) => {
    expect(countryOf(text, language)).toBe(country)
  })
})

it.each([
  ['SAS Clinique des Hortillons, 99 chemin de halage', 'SAS Clinique des Hortillons'],
  ['SCEA Domaine de la Cabrerolle, Soumartre', 'SCEA Domaine de la Cabrerolle'],
  ['Rodersee Rehaklinik Betriebs-GmbH, Seeuferweg 99', 'Rodersee Rehaklinik Betriebs-GmbH'],
  ['Nadace Tichý břeh, Ostrava', 'Nadace Tichý břeh'],
  ['Portafranca Edizioni S.a.s. di Lidia Mancuso & C. - Via', 'Portafranca Edizioni S.a.s. di Lidia Mancuso & C.'],
])('reads the name of the organization in %s', (text, name) => {
  expect(mentionsIn(text).map((one) => one.name)).toContain(name)
})

it('reads names in quotation marks before a legal form, and East Asian professional corporations', () => {
  const names = (text: string) => mentionsIn(text).map(({ name }) => name)
  expect(names('„Под покрива“ ООД, Пловдив')).toContain('„Под покрива“ ООД')
  expect(names('특허법인 한별')).toContain('특허법인 한별')
  expect(names('中耕聯合會計師事務所於民國90年成立')).toContain('中耕聯合會計師事務所')
})

it('reads years of the Taiwanese era, and no years in telephone numbers', () => {
  const years = (text: string) => yearsIn(text, new Date('2026-11-01')).map(({ value }) => value)
  expect(years('民國90年成立')).toEqual([2001])
  expect(years('Out of hours: 1850 555 199')).toEqual([])
  expect(years('since 1987')).toEqual([1987])
})
