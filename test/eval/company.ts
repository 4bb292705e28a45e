/** Compares company fields with the gold pages, and counts the results by field and by page family. */
import { readdirSync, readFileSync } from 'node:fs'
import { extractCompany } from '../../src/enrichment/company/extract-company.ts'
import { parsePage, textOf } from '../../src/enrichment/extract/page.ts'
import { structuredDataOf } from '../../src/enrichment/extract/structured-data.ts'
import { isParked } from '../../src/enrichment/providers/website/find-home.ts'
import { merge } from '../../src/findings/merge.ts'
import type { CompanyField } from '../../src/findings/provider.ts'
import { SOURCE_ORDER } from '../../src/findings/sources.ts'
import { Counts } from './counts.ts'
import type { GoldSite } from './gold-sites.ts'
import { acceptedOf } from './gold-sites.ts'
import { printTable } from './print-table.ts'

export type Half = 'dev' | 'held-out'

interface GoldPage {
  domain: string
  family: string
  /** The page's facts. A value that the gold page does not list is an error, except in fields that are not scored. */
  facts: Partial<Record<CompanyField, GoldSite['fields'][string]>>
}

export interface CompanyCount {
  fields: Map<string, Counts>
  families: Map<string, Counts>
  differences: string[]
  /** Confidence and correctness of each extracted value. */
  answers: { confidence: number; right: boolean }[]
}

/**
 * Fields that are not scored if the page does not state them, because they are derived from other fields or open to
 * interpretation.
 */
const OPEN = new Set<CompanyField>([
  'employee_range',
  'industry',
  'naics_code',
  'naics_title',
  'logo_url',
  'description',
])

/** Ignores a trailing dot, because the dot in `Inc.` may also be the end of the sentence. */
const sameFact = (a: string | number, b: string | number): boolean =>
  String(a).replace(/\.$/, '') === String(b).replace(/\.$/, '')

export function countCompanyPages(half: Half): CompanyCount {
  const folder = new URL(`../fixtures/gold/company/${half}/`, import.meta.url)
  const count: CompanyCount = { fields: new Map(), families: new Map(), differences: [], answers: [] }
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const gold = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as GoldPage
    const html = readFileSync(new URL(name.replace('.json', '.html'), folder), 'utf8')
    const page = parsePage(html, `https://${gold.domain}/`)
    const observations = isParked(textOf(page.$('html')))
      ? []
      : extractCompany([{ page, items: structuredDataOf(page, html) }], gold.domain, '2026-01-01T00:00:00.000000Z')
    const found = merge(observations, SOURCE_ORDER)
    const fields = new Set([...(Object.keys(gold.facts) as CompanyField[]), ...found.keys()])
    for (const field of fields) {
      const [truth, value] = [gold.facts[field], found.get(field)?.winner.value]
      if (truth === undefined && OPEN.has(field)) continue
      const outcome =
        truth === undefined
          ? 'invented'
          : value === undefined
            ? 'missing'
            : acceptedOf(truth).some((one) => sameFact(value, one))
              ? 'right'
              : 'wrong'
      for (const [counts, key] of [
        [count.fields, field],
        [count.families, gold.family],
      ] as const) {
        const one = counts.get(key) ?? new Counts()
        one.add(outcome)
        counts.set(key, one)
      }
      const confidence = found.get(field)?.confidence
      if (confidence !== undefined) count.answers.push({ confidence, right: outcome === 'right' })
      if (outcome !== 'right')
        count.differences.push(`${name}: ${field} is ${JSON.stringify(truth)}, found ${JSON.stringify(value)}`)
    }
  }
  return count
}

if (import.meta.main) {
  const { fields, differences } = countCompanyPages(process.argv[2] === 'dev' ? 'dev' : 'held-out')
  printTable('company fields of single pages', fields)
  if (process.argv.includes('--differences') && process.argv[2] === 'dev') console.log(differences.join('\n'))
}
