/** An Allow or Disallow line. */
export interface RobotsRule {
  isAllowed: boolean
  /**
   * A path pattern, normalized by `comparable`. `*` matches any characters, and a final `$` anchors the pattern at the
   * end of the path.
   */
  pattern: string
}

/** The robots.txt rules for one product. */
export interface RobotsGroup {
  rules: RobotsRule[]
  /** Crawl-delay in seconds; 0 if it is absent. */
  delay: number
}

export interface RobotsText extends RobotsGroup {
  sitemaps: string[]
}

/**
 * Parses a robots.txt file (RFC 9309, 2.2). Merges all groups that name the product, or the groups for `*` if no group
 * names it. Unknown lines are ignored and do not end a group.
 */
export function parseRobots(text: string, product: string): RobotsText {
  const own: RobotsGroup = { rules: [], delay: 0 }
  const usual: RobotsGroup = { rules: [], delay: 0 }
  const sitemaps: string[] = []
  const wanted = product.toLowerCase()
  let isNamed = false
  let addressed = new Set<RobotsGroup>()
  let isOpening = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    switch (key.toLowerCase()) {
      case 'user-agent': {
        // Rules apply to all consecutive user-agent lines directly above them.
        if (!isOpening) addressed = new Set()
        isOpening = true
        const name = (value.split('/')[0] as string).trim().toLowerCase()
        if (name === wanted) isNamed = true
        if (name === wanted) addressed.add(own)
        if (name === '*') addressed.add(usual)
        break
      }
      case 'allow':
      case 'disallow': {
        isOpening = false
        const pattern = comparable(value.trim())
        if (pattern === '') break
        for (const { rules } of addressed) rules.push({ isAllowed: key.toLowerCase() === 'allow', pattern })
        break
      }
      case 'crawl-delay':
        for (const group of addressed) group.delay = Math.max(group.delay, Number(value.trim()) || 0)
        break
      case 'sitemap':
        sitemaps.push(value.trim())
    }
  }
  return { ...(isNamed ? own : usual), sitemaps }
}

/**
 * Returns whether a path is allowed (RFC 9309, 2.2.2). The longest matching rule applies, and Allow wins ties. A path
 * that matches no rule is allowed.
 */
export function isPathAllowed(rules: readonly RobotsRule[], path: string): boolean {
  // RFC 9309, 2.2.2: robots.txt is always allowed.
  if (path === '/robots.txt') return true
  const sought = comparable(path).replaceAll('*', '%2A').replaceAll('$', '%24')
  let best: RobotsRule | undefined
  for (const rule of rules) {
    const more = rule.pattern.length - (best?.pattern.length ?? -1)
    if ((more > 0 || (more === 0 && rule.isAllowed)) && matches(rule.pattern, sought)) best = rule
  }
  return best?.isAllowed ?? true
}

/**
 * Normalizes a path for comparison (RFC 9309, 2.2.2): percent-encodes non-ASCII and reserved query characters, and
 * decodes unreserved characters.
 */
function comparable(path: string): string {
  const [before = '', ...query] = path.split('?')
  const text =
    query.length === 0 ? before : `${before}?${query.join('?').replaceAll(':', '%3A').replaceAll('/', '%2F')}`
  return text
    .replace(/[^\x21-\x7e]+/g, (other) => encodeURIComponent(other.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
    })
}

/** Matches each part between wildcards at its first possible position, which avoids backtracking. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let from = first.length
  const last = isWhole ? rest.pop() : undefined
  for (const part of rest) {
    const at = path.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  if (!isWhole) return true
  return last === undefined ? path.length === from : path.length - last.length >= from && path.endsWith(last)
}
