import { decodeHTML } from 'entities'
import { describe, expect, it } from 'vitest'
import type { GoldSite } from '../../eval/gold-sites.ts'
import { acceptedOf, readSites } from '../../eval/gold-sites.ts'

/** Returns the text of all pages including attributes and scripts, once with tags as spaces and once without tags. */
function textOf({ pages }: GoldSite): string {
  const html = Object.values(pages)
    .join('\n')
    .replace(/\\u([\da-f]{4})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return [html.replace(/<[^>]*>/gu, ' '), html.replace(/<[^>]*>/gu, ''), html]
    .map((text) => decodeHTML(text).replace(/\s+/gu, ' '))
    .join('\n')
    .toLowerCase()
}

/** Returns the key's entries that the site's pages do not contain. */
function missing(site: GoldSite): string[] {
  const text = textOf(site)
  const contains = (field: string, value: string | number): boolean => {
    // Keys contain international telephone numbers, and pages national ones.
    if (field === 'phone') return text.replace(/[\s().,/-]/gu, '').includes(String(value).slice(-6))
    if (typeof value === 'number') return new RegExp(`(?<!\\d)${value}(?!\\d)`, 'u').test(text)
    return text.includes(value.toLowerCase())
  }
  const people = [...site.people, ...(site.untitled_people ?? [])].flatMap((person) => Object.entries(person))
  // Keys contain the English names of countries, and codes of industries.
  const facts = Object.entries(site.fields)
    .filter(([field]) => field !== 'headquarters_country' && field !== 'naics_code')
    .flatMap(([field, value]) => acceptedOf(value).map((one) => [field, one] as const))
  return [...people, ...facts].filter(([field, value]) => !contains(field, value)).map(([field]) => field)
}

describe('the keys of the gold sites', () => {
  // The pages of the other sets write some numbers in words.
  it.each(['independent-4/learn', 'independent-4/held-out'])('contain only what the pages in %s state', (half) => {
    for (const site of readSites(half)) expect(missing(site), site.domain).toEqual([])
  })
})
