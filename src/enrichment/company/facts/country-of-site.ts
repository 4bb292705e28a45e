import { parsePhoneNumber } from 'awesome-phonenumber'
import { getPublicSuffix } from 'tldts'
import { countryCode } from '../countries.ts'
import { regionIn } from './regions.ts'
import type { SiteText } from './site-text.ts'

const MAX_TEXT = 400
/** Languages that are official in several countries with many companies. */
const SHARED_LANGUAGES = new Set(['ar', 'de', 'en', 'es', 'fr', 'nl', 'pt', 'ru', 'zh'])
/** Countries whose addresses often end with the full name of a state or province instead of the country. */
const FEDERATIONS = ['US', 'CA', 'AU', 'IN']
/** A form of addresses or telephone numbers that is used in one country. */
interface NationalForm {
  country: string
  form: RegExp
  /** Weight of each text that contains the form. */
  weight: number
  /** Languages of the sites on which the form is counted. @default all, and sites that declare no language */
  languages?: readonly string[]
}

const NATIONAL_FORMS: readonly NationalForm[] = [
  { country: 'US', form: /,\s(?!PR\b)[A-Z]{2}\.?,?\s\d{5}(?:-\d{4})?(?!\d)/u, weight: 1 },
  {
    country: 'US',
    form: /(?<![\d+-]\s?)\(?[2-9]\d{2}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\d)/u,
    weight: 0.4,
    languages: ['en', 'es', ''],
  },
  { country: 'CA', form: /(?<![A-Z\d])[ABCEGHJ-NPR-TVXY]\d[A-Z] ?\d[A-Z]\d(?![A-Z\d])/u, weight: 1.5 },
  { country: 'GB', form: /(?<![A-Z\d])[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?![A-Z\d])/u, weight: 1 },
  {
    country: 'GB',
    form: /(?<!\d)\(?0(?:1\d{3}|2\d|11\d|1\d1)\)? \d{3,4} ?\d{3,4}(?!\d)/u,
    weight: 0.5,
    languages: ['en', ''],
  },
  { country: 'AU', form: /(?<![A-Z])(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT),? \d{4}(?!\d)/u, weight: 1 },
  { country: 'IE', form: /(?<![\p{L}\d])(?:[AC-FHKNPRTV-Y]\d{2}|D6W) [\dAC-FHKNPRTV-Y]{4}(?![\p{L}\d])/u, weight: 1 },
  { country: 'NL', form: /(?<!\d)[1-9]\d{3} [A-Z]{2}(?![\p{L}\d])/u, weight: 0.7, languages: ['nl', 'en', ''] },
  {
    country: 'PT',
    form: /(?<![\d-])\d{4}-\d{3}(?![\d-])|(?<![\d+] ?)2\d{2} \d{3} \d{3}(?!\d)/u,
    weight: 1,
    languages: ['pt'],
  },
  { country: 'BR', form: /(?<![\d-])\d{5}-\d{3}(?![\d-])|\(\d{2}\) 9?\d{4}-\d{4}/u, weight: 1, languages: ['pt'] },
]
/** Maximum number of texts that count for a form, because lists of telephone numbers repeat it. */
const MAX_FORMS = 2
const IRISH_COUNTY = /\b(?:Co\.?|County) (\p{Lu}\p{L}+)/gu
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'JP'],
  [/\p{Script=Hangul}/u, 'KR'],
  [/\p{Script=Thai}/u, 'TH'],
  [/\p{Script=Hebrew}/u, 'IL'],
  [/\p{Script=Greek}{4}/u, 'GR'],
  [/\p{Script=Han}/u, 'CN'],
  [/\p{Script=Georgian}/u, 'GE'],
  [/\p{Script=Armenian}/u, 'AM'],
  [/\p{Script=Ethiopic}/u, 'ET'],
  [/\p{Script=Bengali}/u, 'BD'],
  [
    /[\p{Script=Devanagari}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Gujarati}]/u,
    'IN',
  ],
]

/**
 * Returns the site's country: the country of the top-level domain or of the region in the home page's `lang` attribute,
 * or else the country that telephone numbers, parts of addresses and the language indicate.
 */
export function countryOfSite({ domain, pages, statements }: SiteText): string | undefined {
  const suffix = (getPublicSuffix(domain) ?? '').split('.').at(-1) ?? ''
  if (/^[a-z]{2}$/.test(suffix) && !/^(io|ai|co|me|tv|fm|gg|ly|to|cc|ws|eu)$/.test(suffix))
    return countryCode(suffix.toUpperCase())
  const declared = pages[0]?.$('html').attr('lang') ?? ''
  const region = /^[a-z]{2,3}-([A-Z]{2})$/.exec(declared)?.[1]
  // Many templates default to American English.
  if (region && region !== 'US') return countryCode(region)
  const votes = new Map<string, number>()
  const vote = (country: string | undefined, weight: number): void => {
    if (country && weight > 0) votes.set(country, (votes.get(country) ?? 0) + weight)
  }
  const lines = [...new Set(statements.filter(({ text }) => text.length <= MAX_TEXT).map(({ text }) => text))]
  const numbers = lines.flatMap((text) => text.match(/\+\d[\d ().-]{7,16}\d/gu) ?? [])
  for (const number of new Set(numbers)) vote(parsePhoneNumber(number).regionCode, 1)
  for (const text of lines) for (const country of namedAtEnds(text)) vote(country, 1)
  const language = declared.slice(0, 2).toLowerCase()
  for (const { country, form, weight, languages } of NATIONAL_FORMS)
    if (languages?.includes(language) !== false)
      vote(country, weight * Math.min(MAX_FORMS, lines.filter((text) => form.test(text)).length))
  vote(countryOfLanguage(declared), SHARED_LANGUAGES.has(language) ? 0.5 : 1.5)
  if (declared === '') vote(SCRIPTS.find(([script]) => lines.some((text) => script.test(text)))?.[1], 0.5)
  return [...votes].toSorted((a, b) => b[1] - a[1])[0]?.[0]
}

/** Returns the countries named at the ends of addresses, and those whose states and counties are named there. */
function namedAtEnds(text: string): string[] {
  // Addresses often end with the name of the country.
  const ends = [...text.matchAll(/[,،]\s*([\p{Lu}\p{Lo}][\p{L}\p{M} ]{2,25}?)(?=[.,;)]|\s\d|$|\s?[|·•–—/])/gu)].map(
    ([, name = '']) => name,
  )
  const states = ends.flatMap((name) =>
    FEDERATIONS.filter((country) => name.length > 3 && regionIn(name, country) !== undefined),
  )
  const counties = [...text.matchAll(IRISH_COUNTY)].filter(([, name = '']) => regionIn(name, 'IE') !== undefined)
  return [
    ...states,
    ...counties.map(() => 'IE'),
    // Georgia is also an American state.
    ...ends.map((name) => countryCode(name)).filter((code) => code !== undefined && states.length === 0),
  ] as string[]
}

function countryOfLanguage(language: string): string | undefined {
  try {
    const { language: code, region } = new Intl.Locale(language || 'en').maximize()
    return code === 'en' ? undefined : region
  } catch {
    return undefined
  }
}
