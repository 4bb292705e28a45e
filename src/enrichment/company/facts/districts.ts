import type { Address } from '../address.ts'
import { isTurkishCity } from './read-local-forms.ts'
import { regionIn } from './regions.ts'

/**
 * Splits `Lugano TI` and `São Paulo/SP` into city and region, and drops districts such as `Cedex 02` and `Aarhus C`.
 */
export function withoutDistrict({ city = '', ...address }: Address, country: string): Address {
  const [, name, code = ''] = /^(.+)[\s/](\p{Lu}{2,3})$/u.exec(city) ?? []
  if (name && regionIn(code, country)) return { city: name, state: code, ...address }
  const plain = city.replace(/\s+Cedex(?:\s\d+)?$/iu, '')
  if (country === 'IE') return { ...address, city: plain.replace(/^(Dublin)\s\d{1,2}W?$/u, '$1') }
  if (country === 'DK') return { ...address, city: plain.replace(/\s+(?:[CKNSVØ]|[NS][VØ])$/u, '') }
  // Turkish addresses contain the district and the province, which is named after its main city.
  return { ...address, city: country === 'TR' ? (plain.split('/').at(-1) ?? plain) : plain }
}

/** Countries whose regions are named after their main cities, so an address contains both a suburb and the city. */
export const REGION_OF_CITY = new Set(
  'AE AL BD BH CI DZ EG ET IQ JO KE LB LU LV MA MK MM MT NG NZ OM PE QA RW SA SD SI SN TH TN TR TZ UG VN'.split(' '),
)

/** Vietnamese cities that are not part of a province. */
const MUNICIPALITIES = /^(?:TP\.?\s?)?(?:Hà Nội|Hồ Chí Minh|Đà Nẵng|Hải Phòng|Cần Thơ|Huế)$/u

const DISTRICT = /^(?:quận|phường|huyện|xã|Q\.|P\.)/iu

/** Returns whether a part of an address is a region whose name is not that of the city. */
export const isRegionOnly = (region: string, before: string, country: string): boolean =>
  / State$/u.test(region) ||
  (country === 'TR' && !isTurkishCity(region) && !/\d/u.test(before)) ||
  (country === 'VN' && !MUNICIPALITIES.test(region) && !DISTRICT.test(before) && !/\d/u.test(before))
