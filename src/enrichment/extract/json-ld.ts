import { decodeHTML } from 'entities'
import { jsonrepair } from 'jsonrepair'
import type { Page } from './page.ts'
import { tidy } from './page.ts'
import type { StructuredItem, StructuredValue } from './structured-item.ts'

type Json = null | string | number | boolean | Json[] | { [key: string]: Json }

/** Maximum recursion depth, as protection against hostile pages. */
const MAX_DEPTH = 24
/** Maximum number of items. Nodes that refer to each other would otherwise result in exponentially many items. */
const MAX_ITEMS = 20_000
/** Maximum length of a script. Larger scripts contain application data rather than schema.org items. */
const MAX_LENGTH = 1_000_000

/** Reads the items in a page's JSON-LD scripts. Flattens graphs and resolves `@id` references within the page. */
export function readJsonLd({ $ }: Page): StructuredItem[] {
  const documents = $('script[type*="ld+json" i]')
    .toArray()
    .map((script) => parseLenient($(script).text()))
    .filter((document) => document !== undefined)
  const top = documents.flatMap((document) => topLevel(document, 0))
  const byId = new Map<string, { [key: string]: Json }>()
  for (const node of top) indexIds(node, byId, 0)
  const graph: Graph = { byId, referred: new Set(), left: MAX_ITEMS }
  const items = top.slice(0, MAX_ITEMS).map((node) => toItem(node, graph, []))
  return items.filter(({ id, types }) => !(id && types.length === 0 && graph.referred.has(id)))
}

/** Matches comment and CDATA markers around a script, which are meant for old browsers and XML parsers. */
const WRAPPING =
  /^\s*(?:<!--|(?:\/\/\s*|\/\*\s*)?<!\[CDATA\[(?:\s*\*\/)?)|(?:-->|(?:\/\/\s*|\/\*\s*)?\]\]>(?:\s*\*\/)?)\s*$/g

/**
 * Parses JSON with the errors common on websites: HTML entities, comments, trailing commas, line breaks in strings, or
 * a missing end.
 */
function parseLenient(text: string): Json | undefined {
  const source = text
    .replace(WRAPPING, '')
    .replace(/(?<![;\s])[;\s]+$/, '')
    .trim()
  if (source === '' || source.length > MAX_LENGTH) return undefined
  const attempts = [
    () => source,
    () => jsonrepair(source),
    () => decodeHTML(source),
    () => jsonrepair(decodeHTML(source)),
  ]
  // `jsonrepair` would turn JSON with entities for quotes into one long string, so entities are decoded first.
  if (/^[[{]\s*&(?:quot|#0*34|#x0*22);/i.test(source)) attempts.splice(1, 1)
  for (const attempt of attempts)
    try {
      const json = JSON.parse(attempt()) as Json
      if (typeof json === 'object' && json !== null) return json
    } catch {
      // Try the next repair.
    }
  return undefined
}

function topLevel(json: Json, depth: number): { [key: string]: Json }[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(json)) return json.flatMap((one) => topLevel(one, depth + 1))
  if (!isNode(json)) return []
  const graph = json['@graph']
  if (graph === undefined) return [json]
  const { '@graph': _, '@context': __, ...rest } = json
  return [...('@type' in rest ? [rest] : []), ...topLevel(graph, depth + 1)]
}

function indexIds(node: Json, byId: Map<string, { [key: string]: Json }>, depth: number): void {
  if (depth > MAX_DEPTH) return
  if (Array.isArray(node)) for (const one of node) indexIds(one, byId, depth + 1)
  if (!isNode(node)) return
  const id = node['@id']
  // References resolve to the node with the most properties.
  if (typeof id === 'string' && Object.keys(node).length > Object.keys(byId.get(id) ?? {}).length) byId.set(id, node)
  for (const value of Object.values(node)) indexIds(value, byId, depth + 1)
}

/** The nodes of a page's JSON-LD. */
interface Graph {
  byId: ReadonlyMap<string, { [key: string]: Json }>
  /** IDs of nodes that are values of another node. */
  referred: Set<string>
  /** Number of items that may still be created. */
  left: number
}

function toItem(node: { [key: string]: Json }, graph: Graph, path: string[]): StructuredItem {
  graph.left -= 1
  const id = typeof node['@id'] === 'string' ? node['@id'] : null
  const properties: Record<string, StructuredValue[]> = {}
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith('@')) continue
    const values = toValues(value, graph, id ? [...path, id] : [...path, ''])
    if (values.length > 0) properties[localName(key)] = values
  }
  return { format: 'json-ld', types: typesOf(node['@type']), id, properties }
}

function toValues(value: Json, graph: Graph, path: string[]): StructuredValue[] {
  if (value === null || path.length > MAX_DEPTH || graph.left <= 0) return []
  if (typeof value === 'string') {
    const text = tidy(decodeHTML(value))
    return text === '' ? [] : [text]
  }
  if (typeof value !== 'object') return [value]
  if (Array.isArray(value)) return value.flatMap((one) => toValues(one, graph, [...path, '']))
  if ('@value' in value) return toValues(value['@value'] ?? null, graph, path)
  if ('@list' in value) return toValues(value['@list'] ?? null, graph, path)
  const id = value['@id']
  if (typeof id === 'string') {
    // Skip circular references.
    if (path.includes(id)) return []
    const full = graph.byId.get(id)
    if (full && full !== value) {
      graph.referred.add(id)
      return [toItem(full, graph, path)]
    }
    if (Object.keys(value).length === 1) return [id]
  }
  return [toItem(value, graph, path)]
}

const isNode = (json: Json | undefined): json is { [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const typesOf = (type: Json | undefined): string[] =>
  (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string').map(localName)

/** Reduces `https://schema.org/Person` and `schema:Person` to `Person`. */
export const localName = (name: string): string => name.trim().replace(/\/+$/, '').split(/[/#:]/).at(-1) ?? name
