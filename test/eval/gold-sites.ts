import { readdirSync, readFileSync } from 'node:fs'

type GoldValue = string | number

export interface GoldSite {
  domain: string
  language: string
  /** The facts that the pages state, or lists of accepted values; fields that are not listed are not scored. */
  fields: Record<string, GoldValue | readonly GoldValue[]>
  people: { full_name: string; title: string }[]
  /** People whose titles the pages do not state; not all sites list them. */
  untitled_people?: { full_name: string }[]
  /** HTML by path. */
  pages: Record<string, string>
}

/** Returns the accepted values of a field, best first. */
export const acceptedOf = (value: GoldSite['fields'][string] | undefined): readonly GoldValue[] =>
  typeof value === 'object' ? value : value === undefined ? [] : [value]

const FOLDER = new URL('../fixtures/gold/sites/', import.meta.url)

/** The folders of sites that may be read and used for training. */
export const LEARN = [
  'learn',
  'independent/learn',
  'independent-2/learn',
  'independent-3/learn',
  'independent-4/learn',
  'independent-5/learn',
  'independent-6/learn',
  'independent-7/learn',
  'independent-8/learn-1',
  'independent-8/learn-2',
  'independent-8/learn-3',
  'independent-8/learn-4',
  'independent-8/learn-5',
  'independent-9/learn-1',
  'independent-9/learn-2',
  'independent-9/learn-3',
  'independent-9/learn-4',
  'independent-9/learn-5',
  'independent-9/learn-6',
  'independent-9/learn-7',
  'independent-10/learn-1',
  'independent-10/learn-2',
] as const

/** Reads the sites in a folder, such as `independent/learn`. */
export function readSites(half: string): GoldSite[] {
  const folder = new URL(`${half}/`, FOLDER)
  return readdirSync(folder).map((file) => {
    const [key = '', ...pages] = readFileSync(new URL(file, folder), 'utf8').split(/^=== /mu)
    return {
      ...JSON.parse(key.replace(/^<!--|-->\s*$/gu, '')),
      pages: Object.fromEntries(
        pages.map((page) => [page.slice(0, page.indexOf('\n')), page.slice(page.indexOf('\n'))]),
      ),
    } as GoldSite
  })
}
