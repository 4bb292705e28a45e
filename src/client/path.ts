/** Builds a path and query, omitting undefined values: `pathOf(['v2', 'companies', domain], { limit: 50 })`. */
export function pathOf(
  segments: readonly string[],
  query: Record<string, string | number | boolean | undefined> = {},
): string {
  const path = `/${segments.map(encodeURIComponent).join('/')}`
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
