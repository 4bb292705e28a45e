import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { decodeHTML } from 'entities'
import { findRepository, readGitFiles } from './git-files.ts'

/** The address of a published story in a public repository. */
export interface StoryAddress {
  /** `OWNER/NAME` on GitHub. */
  repository: string
  commit: string
  path: string
  /** The place in the file; see `readStoryText`. */
  locator: string
}

/** The address and labels of a published story, without its text. The type is empty if the story is not labeled yet. */
export interface LabeledAddress extends StoryAddress {
  source: string
  /** First 16 hexadecimal digits of the SHA-256 hash of the headline. */
  sha: string
  type: string
  about: string
  other: string
}

export interface PublishedText {
  headline: string
  lead: string | null
}

/** The tables of addresses and labels, by the name of the set. */
export const STORY_TABLES: Readonly<Record<string, URL>> = {
  training: new URL('../fixtures/training/published-stories.tsv', import.meta.url),
  uncertain: new URL('../fixtures/training/uncertain-stories.tsv', import.meta.url),
  'held-out': new URL('../fixtures/gold/signals/published-held-out.tsv', import.meta.url),
  'held-out-2': new URL('../fixtures/gold/signals/published-held-out-2.tsv', import.meta.url),
}

const COLUMNS = ['source', 'repository', 'commit', 'path', 'locator', 'sha', 'type', 'about', 'other'] as const
const LEAD_LENGTH = 300
const LEAD_MINIMUM = 20

/** Reads a table of labeled addresses. The columns are separated by tabs. */
export function readAddresses(file: string | URL): LabeledAddress[] {
  const [header, ...lines] = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  if (header !== COLUMNS.join('\t')) throw new Error(`The columns must be ${COLUMNS.join(', ')}.`)
  return lines.map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(COLUMNS.map((name, index) => [name, cells[index] ?? ''])) as unknown as LabeledAddress
  })
}

export const hashOf = (headline: string): string => createHash('sha256').update(headline).digest('hex').slice(0, 16)

/**
 * Reads the texts at the addresses from repositories in a folder (see `findRepository`). Returns an error message in place of a text that is not found.
 */
export function readTexts(folder: string, addresses: readonly StoryAddress[]): (PublishedText | string)[] {
  const byRepository = Map.groupBy(addresses, ({ repository }) => repository)
  const texts = new Map<StoryAddress, PublishedText | string>()
  for (const [repository, stories] of byRepository) {
    const directory = findRepository(folder, repository)
    const files = Map.groupBy(stories, ({ commit, path }) => `${commit}:${path}`)
    const contents = directory === undefined ? null : readGitFiles(directory, [...files.keys()])
    for (const [file, inFile] of files) {
      const content = contents?.get(file)?.toString()
      const read = content === undefined ? null : storyReader(inFile[0]?.path ?? '', content)
      for (const story of inFile) texts.set(story, textAt(story, contents !== null, read))
    }
  }
  return addresses.map((address) => texts.get(address) as PublishedText | string)
}

/**
 * Assembles the content of `stories.tsv` (see `readStories`) from the labeled stories. A problem names a story whose text is missing or differs
 * from the labeled one; the story is left out.
 */
export function assembleStories(
  folder: string,
  addresses: readonly LabeledAddress[],
): { stories: string; problems: string[] } {
  const labeled = addresses.filter(({ type }) => type !== '')
  const rows = ['source\ttype\tabout\tother\theadline\tlead']
  const problems: string[] = []
  for (const [index, text] of readTexts(folder, labeled).entries()) {
    const { source, type, about, other, sha, repository, commit, path, locator } = labeled[index] as LabeledAddress
    const problem = typeof text === 'string' ? text : hashOf(text.headline) === sha ? null : 'the headline has changed'
    if (problem !== null) problems.push(`${repository} ${commit} ${path} ${locator}: ${problem}`)
    else if (typeof text === 'object')
      rows.push([source, type, about, other, text.headline, text.lead ?? ''].join('\t'))
  }
  return { stories: `${rows.join('\n')}\n`, problems }
}

function textAt(
  { locator }: StoryAddress,
  isFetched: boolean,
  read: ((locator: string) => PublishedText | null) | null,
): PublishedText | string {
  if (!isFetched) return 'the repository is missing'
  if (!read) return 'the commit or file is missing'
  return read(locator) ?? `nothing at ${locator}`
}

/**
 * Returns a function that reads the headline and the lead at a locator. The lead is optional.
 *
 * | file | locator | example |
 * |---|---|---|
 * | `.json` | JSON pointer to an object, and the names of two members | `/items/12 title summary` |
 * | `.csv`, `.tsv` | number of the record and the names of two columns; without a header row, two column numbers | `12 Title Text` |
 * | other | numbers of two lines | `1 5` |
 */
function storyReader(path: string, content: string): (locator: string) => PublishedText | null {
  const find = path.endsWith('.json')
    ? jsonReader(content)
    : /\.[ct]sv$/u.test(path)
      ? recordReader(content, path.endsWith('.tsv') ? '\t' : ',')
      : lineReader(content)
  return (locator) => {
    const [headline, lead] = find(locator.split(' '))
    const plain = plainText(headline ?? '')
    return plain === '' ? null : { headline: plain, lead: leadOf(lead ?? '', plain) }
  }
}

type Finder = (locator: string[]) => (string | undefined)[]

function jsonReader(content: string): Finder {
  const root: unknown = JSON.parse(content)
  return ([pointer = '', ...members]) => {
    const object = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], root)
    return members.map((name) => (object as Record<string, string> | undefined)?.[name])
  }
}

function recordReader(content: string, delimiter: string): Finder {
  const records = parse(content, {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  }) as string[][]
  const header = records[0] ?? []
  return ([number, ...columns]) => {
    const hasHeader = columns.every((name) => header.includes(name))
    const record = records[Number(number) - (hasHeader ? 0 : 1)]
    return columns.map((name) => record?.[hasHeader ? header.indexOf(name) : Number(name) - 1])
  }
}

function lineReader(content: string): Finder {
  const lines = content.split('\n')
  return (numbers) => numbers.map((number) => withoutMarkup(lines[Number(number) - 1] ?? ''))
}

/** Removes a Markdown mark, a link, the time of a list of releases, or the key of a property from a line. */
function withoutMarkup(line: string): string {
  const property = /^\s*["']?(?:title|headline|description|summary)["']?\s*:\s*(.*?),?\s*$/u.exec(line)?.[1]
  if (property !== undefined) return unquoted(property)
  return line
    .replace(/^\s*(?:#{1,6}|[*+-])\s+/u, '')
    .replace(/^\[(.*?)\]\(.*$/u, '$1')
    .replace(/^(?:[A-Z]\w+ \d{1,2}, \d{4}, )?\d\d:\d\d ET /u, '')
    .replaceAll('**', '')
}

function unquoted(value: string): string {
  if (/^".*"$/u.test(value)) return JSON.parse(value) as string
  return /^'.*'$/u.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value
}

/** Converts HTML to plain text on one line. Also repairs entities without an ampersand and escaped line breaks. */
const plainText = (text: string): string =>
  decodeHTML(
    text
      .replace(/<(?:script|style)\b.*?<\/(?:script|style)>/gisu, ' ')
      .replace(/<\/?[a-z][^>]*(?:>|$)/giu, ' ')
      .replace(/(?:^|\s)#(\d+);/gu, '&#$1;'),
  )
    .replace(/\\/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

/** Returns the first sentences, or null if the text is too short or repeats the headline. */
function leadOf(text: string, headline: string): string | null {
  const plain = plainText(text)
  if (plain.length < LEAD_MINIMUM || plain.toLowerCase() === headline.toLowerCase()) return null
  if (plain.length <= LEAD_LENGTH) return plain
  const start = plain.slice(0, LEAD_LENGTH)
  return /^.{100,}[.!?]["”’)]?(?=\s)/u.exec(start)?.[0] ?? `${start.slice(0, -1).replace(/\s+\S*$/u, '')}…`
}
