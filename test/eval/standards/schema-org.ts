/**
 * Compares our extractor's output for each markup of schema.org's examples of organizations and people with the
 * example's JSON-LD.
 */
import { readFileSync } from 'node:fs'
import { parseStructuredData } from '../../../src/enrichment/extract/structured-data.ts'
import type {
  StructuredFormat,
  StructuredItem,
  StructuredValue,
} from '../../../src/enrichment/extract/structured-item.ts'
import { factsOf } from './facts.ts'
import type { CaseResult } from './result.ts'
import { compare } from './result.ts'

const ADDRESS = 'https://example.test/'
const SECTIONS = ['PRE-MARKUP', 'MICRODATA', 'RDFA', 'JSON', 'JSON-LD'] as const
type Section = (typeof SECTIONS)[number]

interface Example {
  id: string
  types: string[]
  sections: Map<Section, string>
}

/** Parses a file in the format of schema.org's `examples.txt`. */
function readExamples(text: string): Example[] {
  return text
    .split(/^TYPES:/m)
    .slice(1)
    .map((block) => {
      const [head = '', ...rest] = block.split('\n')
      const sections = new Map<Section, string>()
      let open: Section | undefined
      for (const line of rest) {
        const label = /^([A-Z-]+):\s*$/.exec(line)?.[1]
        const section = SECTIONS.find((one) => one === label)
        if (section) open = section
        else if (open) sections.set(open, `${sections.get(open) ?? ''}${line}\n`)
      }
      return {
        id: /#(\S+)/.exec(head)?.[1] ?? '?',
        types: head
          .replace(/#\S+/, '')
          .split(/[\s,]+/)
          .filter(Boolean),
        sections,
      }
    })
}

const isWanted = (types: readonly string[]): boolean =>
  types.some(
    (type) =>
      /^(Person|Patient)$|Organi[sz]ation$|Corporation$|Business$|Store$|Restaurant$|Company$|NGO$|Dentist$|Physician$|Service$/.test(
        type,
      ) && !/^(BroadcastService|Service)$/.test(type),
  )

type Json = null | string | number | boolean | Json[] | { [key: string]: Json }

/** Parses the example's JSON-LD with JSON.parse, without repair. Returns undefined if it is invalid. */
function plainItems(section: string): StructuredItem[] | undefined {
  const scripts = [...section.matchAll(/<script[^>]*ld\+json[^>]*>([\s\S]*?)<\/script>/gi)].map(
    ([, json]) => json ?? '',
  )
  try {
    const documents = (scripts.length > 0 ? scripts : [section]).map((json) => JSON.parse(json) as Json)
    const nodes = documents
      .flat()
      .flatMap((one) => (isNode(one) && Array.isArray(one['@graph']) ? one['@graph'] : [one]))
    const byId = new Map(nodes.filter(isNode).map((node) => [node['@id'], node]))
    return nodes.filter(isNode).map((node) => toItem(node, byId, 0))
  } catch {
    return undefined
  }
}

const isNode = (json: Json): json is { [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

function toItem(
  node: { [key: string]: Json },
  byId: Map<Json | undefined, { [key: string]: Json }>,
  depth: number,
): StructuredItem {
  const toValue = (value: Json): StructuredValue[] => {
    if (value === null || depth > 8) return []
    if (!isNode(value)) return Array.isArray(value) ? value.flatMap(toValue) : [value]
    const keys = Object.keys(value)
    if ('@value' in value) return toValue(value['@value'] ?? null)
    if (keys.length === 1 && keys[0] === '@id')
      return byId.has(value['@id'])
        ? [toItem(byId.get(value['@id']) as { [key: string]: Json }, byId, depth + 4)]
        : toValue(value['@id'] ?? null)
    return [toItem(value, byId, depth + 1)]
  }
  const entries = Object.entries(node).filter(([key]) => !key.startsWith('@'))
  return {
    format: 'json-ld',
    types: [node['@type'] ?? ''].flat().map((type) => String(type).replace(/^.*[/:]/, '')),
    id: null,
    properties: Object.fromEntries(entries.map(([key, value]) => [key.replace(/^schema:/, ''), toValue(value)])),
  }
}

const MARKUPS: [Section, StructuredFormat][] = [
  ['JSON', 'json-ld'],
  ['JSON-LD', 'json-ld'],
  ['MICRODATA', 'microdata'],
  ['RDFA', 'rdfa'],
]

/** Returns one result per markup of each example with a person or an organization. */
export function runSchemaOrg(file: string): CaseResult[] {
  return readExamples(readFileSync(file, 'utf8')).flatMap(({ id, sections }) => {
    const json = sections.get('JSON') ?? sections.get('JSON-LD') ?? ''
    const plain = plainItems(json)
    const expected = plain && factsOf(plain, isWanted)
    if (!expected || expected.size === 0) return []
    return MARKUPS.flatMap(([section, format]) => {
      const markup = sections.get(section)
      if (!markup?.includes('<') || !isFilled(markup)) return []
      const items = parseStructuredData(markup, ADDRESS).filter((item) => item.format === format)
      return [compare(`${id} ${format}`, format, expected, factsOf(items, isWanted))]
    })
  })
}

/** Returns whether an example has markup; many contain only a comment instead. */
const isFilled = (markup: string): boolean => /itemscope|typeof=|ld\+json/.test(markup)
