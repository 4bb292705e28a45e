import { describe, expect, it } from 'vitest'
import { yearsIn } from '../../../../src/enrichment/company/facts/numbers.ts'
import { mentionsIn } from '../../../../src/enrichment/company/facts/organisations.ts'
import { readPlace } from '../../../../src/enrichment/company/facts/read-place.ts'

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
  ] as const)('reads %s', (text, home, address) => {
    expect(placeIn(text, home)).toMatchObject(address)
  })

  it('does not mistake a list of countries for an address', () => {
    expect(placeIn('Offices in England, Wales, Scotland, Ireland', 'GB')).toBeUndefined()
  })
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
