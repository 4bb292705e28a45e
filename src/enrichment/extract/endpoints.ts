import type { Page } from './page.ts'
import { absoluteUrl } from './page.ts'

const MAX_ENDPOINTS = 10
const MAX_SCRIPT = 200_000

/** Matches a script call that loads a literal URL. */
const CALL =
  /\b(?:fetch|getJSON|axios(?:\.get)?|\$\.get|\$http\.get|\$fetch|useFetch|useSWR)\(\s*(["'`])([^"'`\s${}]{1,300})\1/g
/** Matches attributes that specify a data source. */
const ATTRIBUTES = /^data-(?:[\w-]+-)?(?:url|src|source|endpoint|api|feed|json)$/
const LOOKS_LIKE_DATA = /\.json(?:$|\?)|\/(?:api|wp-json|data|graphql|rest)\/|\/_next\/data\//i

/**
 * Finds the JSON documents that a page loads: preloaded data, attributes such as `data-endpoint`, and literal URLs in
 * calls such as `fetch("/api/team")`. Scripts are not run. The URLs can be on any host.
 */
export function findEndpoints({ $, base }: Page): string[] {
  const found = new Set<string>()
  const add = (href: string): void => {
    const url = absoluteUrl(href, base)
    if (url && found.size < MAX_ENDPOINTS) found.add(url)
  }
  for (const link of $('link[rel~="preload" i][as="fetch" i][href]').toArray()) add($(link).attr('href') ?? '')
  for (const element of $('body *').slice(0, 5000).toArray())
    for (const [name, value] of Object.entries(element.attribs))
      if (ATTRIBUTES.test(name) && LOOKS_LIKE_DATA.test(value)) add(value)
  for (const script of $('script:not([src])').slice(0, 50).toArray()) {
    const text = $(script).text()
    if (text.length <= MAX_SCRIPT) for (const [, , href = ''] of text.matchAll(CALL)) add(href)
  }
  return [...found]
}
