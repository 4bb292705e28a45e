import { jsonrepair } from 'jsonrepair'
import type { Page } from './page.ts'

/** Maximum length of a script. Larger scripts contain code or the data of other pages. */
const MAX_SCRIPT = 1_000_000
const MAX_SCRIPTS = 50
/** Maximum length of text to repair, because `jsonrepair` is slow on large inputs. */
const MAX_REPAIRED = 200_000
const MAX_NODES = 100_000

/**
 * Reads the data embedded for a page's scripts: JSON scripts (`__NEXT_DATA__`, `__NUXT_DATA__`) and objects assigned to
 * a global variable (`window.__NUXT__ = {…}`, Apollo and Redux state). Scripts are parsed as data and never run.
 */
export function readScriptData(page: Page): unknown[] {
  const known = KNOWN.get(page)
  if (known) return known
  const found = readScripts(page)
  KNOWN.set(page, found)
  return found
}

/** Several readers read the same page's data. */
const KNOWN = new WeakMap<Page, unknown[]>()

function readScripts({ $ }: Page): unknown[] {
  return $('script:not([src])')
    .slice(0, MAX_SCRIPTS)
    .toArray()
    .flatMap((script): unknown[] => {
      const type = ($(script).attr('type') ?? '').toLowerCase()
      const text = $(script).text()
      if (text.length > MAX_SCRIPT || type === 'application/ld+json') return []
      if (/\bjson$/.test(type)) return parse(text).map(unflatten)
      if (type !== '' && type !== 'module' && !type.includes('javascript')) return []
      return assignedObjects(text)
    })
}

/**
 * Finds objects and arrays that are assigned to a property of `window`, `self` or `globalThis`, or to a name between
 * double underscores.
 */
function assignedObjects(script: string): unknown[] {
  const found: unknown[] = []
  const assignment =
    /(?:(?:window|self|globalThis)(?:\.\w+|\[["']\w+["']\])|\b__\w+__)\s*=\s*(?:JSON\.parse\((?=["'])|(?=[[{]))/g
  for (let match = assignment.exec(script); match && found.length < MAX_SCRIPTS; match = assignment.exec(script)) {
    const from = assignment.lastIndex
    const end = literalEnd(script, from)
    if (end === null) break
    const literal = script.slice(from, end)
    found.push(...(/^["']/.test(literal) ? parse(literal).flatMap((text) => parse(String(text))) : parse(literal)))
    assignment.lastIndex = end
  }
  return [...found, ...returnedObjects(script)]
}

/**
 * Evaluates an immediately invoked function that returns an object, as emitted by Nuxt 2: `=(function(a,b){return
 * {title:a}}("Team",1))`. Each parameter is replaced by its argument.
 */
function returnedObjects(script: string): unknown[] {
  const match = /=\s*\(function\(([\w$,\s]*)\)\s*\{\s*return\s*(?=\{)/.exec(script)
  if (!match) return []
  const { index, 0: head, 1: names = '' } = match
  const from = index + head.length
  const end = literalEnd(script, from)
  const open = end === null ? null : (/^\s*;?\s*\}\s*\(/.exec(script.slice(end))?.[0].length ?? null)
  if (end === null || open === null) return []
  const close = literalEnd(`[${script.slice(end + open)}`.replace(/\)\s*(?:\)\s*)?(?:;\s*)?(?:<|$)/, ']'), 0)
  const args = close === null ? [] : parse(`[${script.slice(end + open, end + open + close - 2)}]`)
  const values = Array.isArray(args[0]) ? (args[0] as unknown[]) : []
  const byName = new Map(names.split(',').map((name, place) => [name.trim(), values[place] ?? null]))
  return parse(withArguments(script.slice(from, end), byName))
}

/** In an object literal, replaces values that are parameter names with the arguments. Strings are left unchanged. */
const withArguments = (literal: string, byName: ReadonlyMap<string, unknown>): string =>
  literal.replace(
    /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?=[A-Za-z_$])(?<=[:,[]\s{0,20})[A-Za-z_$][\w$]*(?=\s*[,}\]])/g,
    (token) => (byName.has(token) ? JSON.stringify(byName.get(token)) : token),
  )

/** Returns the index after the string, object or array that starts at `from`; null if it does not end. */
function literalEnd(text: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"' || char === "'" || char === '`') {
      at++
      while (at < text.length && text[at] !== char) at += text[at] === '\\' ? 2 : 1
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    if (depth === 0) return at < text.length ? at + 1 : null
  }
  return null
}

/** Returns the parsed value in a one-element list; an empty list if the text is not JSON even after repair. */
function parse(text: string): unknown[] {
  for (const read of [() => text, () => (text.length <= MAX_REPAIRED ? jsonrepair(text) : '')])
    try {
      return [JSON.parse(read())]
    } catch {
      // Try the next repair.
    }
  return []
}

/**
 * Resolves Nuxt 3 data, which stores all values in one array and references them by index:
 * `[{"team":1},[2],{"name":3},"Ada"]`. Returns other data unchanged.
 */
function unflatten(data: unknown): unknown {
  if (!Array.isArray(data) || data.length < 2 || !isReferring(data[0])) return data
  let nodes = 0
  const resolve = (index: unknown, depth: number): unknown => {
    if (typeof index !== 'number' || depth > 30 || ++nodes > MAX_NODES) return null
    const value: unknown = data[index]
    if (Array.isArray(value))
      return typeof value[0] === 'string' && value.length === 2
        ? resolve(value[1], depth + 1)
        : value.map((one) => resolve(one, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolve(one, depth + 1)]))
  }
  return resolve(0, 0)
}

const isReferring = (first: unknown): boolean =>
  typeof first === 'object' && first !== null && Object.values(first).every((value) => typeof value !== 'object')
