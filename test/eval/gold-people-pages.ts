import { readFileSync } from 'node:fs'

/** An invented site: its pages by path, and its people. */
export interface GoldSite {
  domain: string
  /** Language, name and layout of the people page. */
  about: string
  people: { name: string; title: string }[]
  /** HTML or XML by path and query. */
  pages: Map<string, string>
}

export type GoldSiteSplit = 'dev' | 'held-out'

/** Sites start with `##### domain description`, then one `name | title` per line; pages start with `=== /path`. */
export function readGoldSites(split: GoldSiteSplit): GoldSite[] {
  const text = readFileSync(new URL(`../fixtures/gold/people-pages/${split}.txt`, import.meta.url), 'utf8')
  return text
    .split(/^##### /m)
    .slice(1)
    .map((site) => {
      const [head = '', ...pages] = site.split(/^=== /m)
      const [title = '', ...people] = head.trim().split('\n')
      const [domain = '', ...about] = title.split(' ')
      return {
        domain,
        about: about.join(' '),
        people: people.map((line) => {
          const [name = '', role = ''] = line.split(' | ')
          return { name, title: role }
        }),
        pages: new Map(
          pages.map((page) => [page.slice(0, page.indexOf('\n')).trim(), page.slice(page.indexOf('\n') + 1)]),
        ),
      }
    })
}
