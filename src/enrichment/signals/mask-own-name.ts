/** Stands for the company whose story it is: a name that means nothing else. */
const OWN = 'Ownco'

/**
 * Replaces the company's own names in a headline: `Acme Equity Partners opens an office` is no partnership. The longest name first; names of
 * fewer than four letters are left, as they may be words.
 */
export function ownNameMask(names: readonly string[]): (headline: string) => string {
  const patterns = [...new Set(names)]
    .filter((name) => name.length > 3)
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'))
  if (patterns.length === 0) return (headline) => headline
  const own = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  return (headline) => headline.replace(own, OWN)
}
