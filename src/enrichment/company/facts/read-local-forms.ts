import type { Address } from '../address.ts'
import { regionIn } from './regions.ts'

/** An address that is read from one line, and the text before the city. */
export interface ReadLine {
  address: Address
  /** Two-letter code. */
  country: string
  street?: string | undefined
}

/** Turkish provinces whose districts are parts of the city; elsewhere, a district is a town. */
export const isTurkishCity = (province: string): boolean =>
  /^(?:İstanbul|Ankara|İzmir|Bursa|Antalya|Adana|Konya|Gaziantep|Kayseri|Eskişehir|Samsun|Trabzon|Mersin|Denizli|Diyarbakır|Erzurum|Malatya|Manisa|Şanlıurfa)$/iu.test(
    province,
  )

type Groups = Record<string, string | undefined>

const JAPANESE =
  /(?<region>\p{Script=Han}{2,3}?[都道府県])(?<city>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ヶ]{1,6}?[市区町村])|(?<=^|[\s:：])(?<city2>\p{Script=Han}{2,3}市)(?=\p{Script=Han}{1,4}区)/u
const KOREAN =
  /(?<only>[가-힣]{2,5}(?:특별자치시|특별시|광역시))|(?<region>[가-힣]{2,7}도)\s+(?<city>[가-힣]{1,5}[시군구])/u
/** Korean provinces and cities are often abbreviated, as in `서울 중구` and `경기 성남시`. */
const KOREAN_SHORT =
  /(?<![가-힣])(?:(?<only>서울|부산|대구|인천|광주|대전|울산|세종)시?\s+[가-힣]{1,5}[구군로읍면](?=\s)|(?<region>경기|강원|충북|충남|전북|전남|경북|경남|제주)\s+(?<city>[가-힣]{1,5}[시군])(?=\s))/u
/** The district that is named after its province's capital is called `เมือง`. */
const THAI =
  /(?:(?:อ\.|อำเภอ)\s?(?!เมือง)(?<district>[\p{L}\p{M}]+)\s+)?(?:จ\.|จังหวัด)\s?(?<province>[\p{L}\p{M}]{3,})|(?<only>กรุงเทพ(?:มหานคร|ฯ)?)|(?:อ\.|อำเภอ)\s?[\p{L}\p{M}]+\s+(?<capital>(?!จ\.|จังหวัด)[\p{L}\p{M}]{3,})\s+\d{5}/u
const VIETNAMESE_NAME = String.raw`\p{Lu}\p{L}*(?:\s\p{Lu}\p{L}*){0,3}`
const VIETNAMESE = new RegExp(
  String.raw`(?:\d|[Ấấ]p|[Tt]hôn|[Kk]hu|[Đđ]ường|[Xx]ã).*,\s*(?:(?:TP\.?|Thành phố|TX\.?|Thị xã)\s?(?<city>${VIETNAMESE_NAME})|(?<town>${VIETNAMESE_NAME}),\s*[Tt]ỉnh\s(?<region>${VIETNAMESE_NAME})|(?:[Qq]uận|[Pp]hường|Q\.|P\.)\s?[\p{L}\d ]{1,25},\s*(?<only>${VIETNAMESE_NAME})(?=$|[.,;(]|\s[–—-]))`,
  'u',
)
/** Hebrew addresses have no postcode and no country. */
const HEBREW =
  /(?:(?:רחוב|רח['׳]|שדרות|שד['׳]|דרך)\s[^,،]{2,30}\d|ת\.?ד\.?\s?\d+),\s*(?<city>[\p{L}"״-]+(?:\s[\p{L}"״-]+)?)/u
const CHINESE_PROVINCE =
  '河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|广西|西藏|宁夏|新疆|内蒙古'
const CHINESE = new RegExp(
  String.raw`(?:中国|中國)?(?<region>(?:${CHINESE_PROVINCE})(?:省|自治区)?|(?![于在位是])\p{Script=Han}{2,3}(?:省|自治区))(?<city>\p{Script=Han}{2,4}?市|\p{Script=Han}{2}(?=\p{Script=Han}{2,4}[区县]))|(?<only>北京|上海|天津|重庆|重慶|臺北|台北|新北|桃園|臺中|台中|臺南|台南|高雄)市|(?<region2>\p{Script=Han}{2}縣)(?<town>\p{Script=Han}{2,3}[鄉鎮市])|(?<=^|[\s:：]|中国|中國|位于|位於)(?:(?<zone>\p{Script=Han}{2})(?=(?:工业园区|高新区|经济技术开发区|经济开发区|开发区|新区))|(?<city2>\p{Script=Han}{2,3}?市)(?=\p{Script=Han}{1,6}(?:区|區|县|縣|镇|鎮|路|街))|(?<zone2>\p{Script=Han}{2})(?=\p{Script=Han}{1,3}区\p{Script=Han}{2,8}(?:路|街|道|号|號)))`,
  'u',
)
/** Parts of Hong Kong at the start of an address. */
const HONG_KONG = /(?:^|[\s:：])(?:香港|九龍|新界)\p{Script=Han}.*(?:號|樓|道|街)/u
/** A Turkish district and its province, which is named after its main city. */
const TURKISH = /\d.*?(?:\s|,\s*)(?<district>\p{Lu}\p{L}+)\s*[/,–-]\s*(?<city>\p{Lu}\p{L}+)(?=$|[.,;]|\s[(|·])/u
/** `Province or city، street` in Persian, from the larger place to the smaller one. */
const PERSIAN =
  /^(?:ایران\s*[،,–-]\s*)?(?<city>[\p{L}\p{M}\u200C]+)\s*[،,–-]\s*(?=.*(?:خیابان|بلوار|میدان|شهرک|جاده|کوچه|پلاک))/u

/** Reads the address forms of countries whose addresses have no postal code, or other words than a code and a city. */
export function readLocalForm(line: string, home: string | undefined): ReadLine | undefined {
  const code = (pattern: RegExp): string | undefined => pattern.exec(line)?.[1]
  const japanese = home === 'JP' || /〒/u.test(line) ? JAPANESE.exec(line)?.groups : undefined
  if (japanese)
    return local('JP', { ...japanese, city: japanese['city'] ?? japanese['city2'] }, code(/〒?\s?(\d{3}-\d{4})/u))
  const korean = KOREAN.exec(line)?.groups ?? (/\d/u.test(line) ? KOREAN_SHORT.exec(line)?.groups : undefined)
  if (korean) return local('KR', { ...korean, city: korean['only'] ?? korean['city'] }, code(/(?<!\d)(\d{5})(?!\d)/u))
  const groups = home === undefined ? undefined : FORMS[home]?.exec(line)?.groups
  return groups && home ? READERS[home]?.(groups, code) : undefined
}

const FORMS: Readonly<Record<string, RegExp>> = {
  CN: CHINESE,
  IL: HEBREW,
  IR: PERSIAN,
  TH: THAI,
  TR: TURKISH,
  TW: CHINESE,
  HK: HONG_KONG,
  VN: VIETNAMESE,
}

const READERS: Readonly<
  Record<string, (groups: Groups, code: (pattern: RegExp) => string | undefined) => ReadLine | undefined>
> = {
  CN: (groups, code) => chinese('CN', groups, code(/(?<!\d)(\d{6})(?!\d)/u)),
  HK: () => local('HK', { city: '香港' }, undefined),
  TW: (groups, code) => chinese('TW', groups, code(/(?<!\d)(\d{6})(?!\d)/u)),
  IL: (groups) => local('IL', groups, undefined),
  IR: (groups) => local('IR', groups, undefined),
  TH: ({ district, province, only, capital }, code) =>
    local(
      'TH',
      district ? { city: district, region: province } : { city: only ?? province ?? capital },
      code(/(?<!\d)(\d{5})(?!\d)/u),
    ),
  TR: ({ city = '', district }) =>
    regionIn(city, 'TR')
      ? local('TR', isTurkishCity(city) ? { city } : { city: district, region: city }, undefined)
      : undefined,
  VN: ({ city, town, region, only }) => local('VN', { city: city ?? town ?? only, region }, undefined),
}

const chinese = (
  country: string,
  { region, region2, city, only, zone, zone2, town, city2 }: Groups,
  code: string | undefined,
): ReadLine | undefined =>
  local(
    country,
    {
      ...((region ?? region2) && { region: region ?? region2 }),
      city: city ?? town ?? city2 ?? zone ?? zone2 ?? (only && `${only}市`),
    },
    code,
  )

const local = (country: string, { region, city }: Groups, code: string | undefined): ReadLine => ({
  address: { ...(city && { city }), ...(region && { state: region }), ...(code && { postal_code: code }) },
  country,
})
