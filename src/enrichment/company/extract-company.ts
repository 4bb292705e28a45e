import { getPublicSuffix } from 'tldts'
import type { CompanyField, CompanyFields, Observation } from '../../findings/provider.ts'
import { isAdmissible } from '../../findings/sanitize.ts'
import type { Page } from '../extract/page.ts'
import { absoluteUrl, linesOf, tidy } from '../extract/page.ts'
import type { StructuredFormat, StructuredItem } from '../extract/structured-item.ts'
import { itemsOf, textsOf } from '../extract/structured-item.ts'
import type { Address } from './address.ts'
import { addressOfItem, parseAddress } from './address.ts'
import { countryCode } from './countries.ts'
import type { Headcount } from './employees.ts'
import { headcountInText, headcountOfItem, parseHeadcount } from './employees.ts'
import { factSheetOf } from './fact-sheet.ts'
import { foundedYearInText, yearOfDate } from './founding.ts'
import { headquartersInText, headquartersLines, parsePlace } from './headquarters.ts'
import { industryInText } from './industry.ts'
import { legalNameOnPage } from './legal-name.ts'
import { companyProfile, logoOnPage, normalizePhone, phoneInLines, phoneOnPage, profileOnPage } from './links.ts'
import { nameInTitle, nameOnPage, namePartOf } from './names.ts'
import { ownOrganisation } from './organization.ts'
import { withoutOthers } from './own-name.ts'

/** Confidence of values from structured data, by format. It is higher than for values read from the page's text. */
const CONFIDENCE: Record<StructuredFormat, number> = { 'json-ld': 0.97, microdata: 0.96, rdfa: 0.96, 'h-card': 0.95 }

type Found = { [Field in CompanyField]?: CompanyFields[Field] | undefined }

/**
 * Extracts company fields from one page of the company's site. `items` are the page's structured items (see
 * `parseStructuredData`), and `domain` is the company's domain. Telephone numbers, countries, states and profile URLs
 * are normalized; other values are kept as published.
 */
export function extractCompany(
  page: Page,
  items: readonly StructuredItem[],
  domain: string,
  observedAt: string,
): Observation[] {
  const own = ownOrganisation(items, domain)
  const structured = own ? fromItem(own, domain) : {}
  const meta = fromMeta(page, domain)
  const country = countryCode(structured.headquarters_country ?? '') ?? countryOfDomain(domain)
  const read = fromText(page, domain, country)
  return [
    ...(own ? observe(structured, own.format, () => CONFIDENCE[own.format]) : []),
    ...observe(meta, 'opengraph', (field) => (field === 'name' ? 0.9 : 0.88)),
    ...observe(read, 'page', (field) => READ[field] ?? 0.8),
  ]
  function observe(found: Found, method: string, confidence: (field: CompanyField) => number): Observation[] {
    return Object.entries(found).flatMap(([key, value]) => {
      const field = key as CompanyField
      if (!isAdmissible(field, value)) return []
      return [
        {
          field,
          value,
          source: 'website',
          url: page.url,
          observed_at: observedAt,
          method,
          confidence: confidence(field),
        } as Observation,
      ]
    })
  }
}

/**
 * Confidence of fields read from a page's text and layout. The values were set by hand, below the precision measured on
 * sample pages, because other pages are harder to read.
 */
const READ: Partial<Record<CompanyField, number>> = {
  name: 0.87,
  legal_name: 0.93,
  description: 0.8,
  industry: 0.75,
  employee_count: 0.85,
  employee_range: 0.85,
  phone: 0.94,
  social_url: 0.94,
  logo_url: 0.85,
  founded_year: 0.87,
  headquarters_street: 0.88,
  headquarters_city: 0.9,
  headquarters_state: 0.9,
  headquarters_postal_code: 0.9,
  headquarters_country: 0.9,
}

function fromItem(item: StructuredItem, domain: string): Found {
  const first = (...properties: string[]): string | undefined =>
    properties.flatMap((property) => textsOf(item, property))[0]
  const address = addressOfItem(item)
  const country = countryCode(address?.country ?? '') ?? countryOfDomain(domain)
  const image = itemsOf(item, 'logo')[0]
  const logo = image ? (textsOf(image, 'url')[0] ?? textsOf(image, 'contentUrl')[0]) : first('logo')
  const phone = first('telephone') ?? itemsOf(item, 'contactPoint').flatMap((point) => textsOf(point, 'telephone'))[0]
  return {
    name: first('name'),
    legal_name: first('legalName'),
    description: first('description'),
    industry: first('industry'),
    ...headcount(headcountOfItem(item)),
    ...headquarters(address),
    phone: phone && normalizePhone(phone, country),
    social_url: [...textsOf(item, 'sameAs'), ...textsOf(item, 'url')]
      .map(companyProfile)
      .find((url) => url !== undefined),
    logo_url: logo && /^https?:/.test(logo) ? logo : undefined,
    founded_year: yearOfDate(first('foundingDate') ?? ''),
  }
}

/** Matches placeholder titles from website templates. */
const NO_NAME = /^(?:(?:my |our )?(?:web ?site|site|blog|home ?page|shop|store)|home|wordpress|index|untitled)$/i

function fromMeta({ $, base }: Page, domain: string): Found {
  const content = (name: string): string | undefined => {
    const text = $(`meta[property="${name}" i], meta[name="${name}" i]`).first().attr('content')
    return text ? tidy(text) || undefined : undefined
  }
  const logo = content('og:logo')
  const name = [content('og:site_name'), content('application-name')].find((text) => text && !NO_NAME.test(text))
  return {
    name: name && namePartOf(name, domain),
    description: content('og:description') ?? content('description'),
    logo_url: logo && absoluteUrl(logo, base),
  }
}

function fromText(page: Page, domain: string, countryHint: string | undefined): Found {
  const { $ } = page
  const lines = linesOf($('body')).map((line) => withoutOthers(line, domain))
  const facts = factSheetOf(page)
  const seat = headquartersLines(lines, countryHint)
  const marked = $('address, [class*="address" i], [itemprop="address"]')
    .toArray()
    .map((node) => parseAddress(linesOf(node), countryHint))
    .find((found) => found)
  const address =
    parseAddress(seat, countryHint) ??
    marked ??
    parseAddress(lines, countryHint) ??
    (facts.headquarters ? parsePlace(facts.headquarters) : undefined) ??
    lines.map(headquartersInText).find((found) => found)
  const country = countryCode(address?.country ?? '') ?? countryHint
  const about = [
    $('meta[name="description" i], meta[property="og:description" i]').first().attr('content') ?? '',
    $('title').first().text(),
    ...linesOf($('h1, h2, main p, body > p, section p, #about p')).slice(0, 12),
  ].join('\n')
  return {
    name: nameInTitle(page, domain) ?? nameOnPage(page, domain),
    legal_name: facts.legalName ?? legalNameOnPage(page, domain),
    industry: facts.industry ?? industryInText(about),
    ...headcount(parseHeadcount(facts.employees ?? '') ?? lines.map(headcountInText).find((found) => found)),
    ...headquarters(address),
    phone: phoneInLines(seat, country) ?? phoneOnPage(page, country),
    social_url: profileOnPage(page),
    logo_url: logoOnPage(page),
    founded_year: yearOfDate(facts.founded ?? '') ?? lines.map((line) => foundedYearInText(line)).find((year) => year),
  }
}

const headcount = (found: Headcount | undefined): Found =>
  found ? { employee_count: found.count, employee_range: found.range } : {}

const headquarters = (address: Address | undefined): Found => ({
  headquarters_street: address?.street,
  headquarters_city: address?.city,
  headquarters_state: address?.state,
  headquarters_postal_code: address?.postal_code,
  headquarters_country: address?.country,
})

/**
 * Returns the country of a two-letter top-level domain; undefined for top-level domains used worldwide, such as `.io`.
 */
function countryOfDomain(domain: string): string | undefined {
  const suffix = (getPublicSuffix(domain) ?? '').split('.').at(-1) ?? ''
  if (!/^[a-z]{2}$/.test(suffix) || /^(io|ai|co|me|tv|fm|gg|ly|to|cc|ws)$/.test(suffix)) return undefined
  return countryCode(suffix.toUpperCase())
}
