import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fold } from './fold.ts'
import { findRepository, readGitFiles } from './git-files.ts'

export type RealPageHalf = 'learn' | 'held-out'

/** A person with a title. Both are hashed, because the repository must not contain names of real people. */
export interface HashedPerson {
  /** See `hashOfName`. */
  name: string
  /** See `hashOfPair`. A page may state several titles, or a title that some readers would not count. */
  pairs: string[]
}

/** The address and labels of a page in a public repository, without its text. */
export interface RealPageAddress {
  half: RealPageHalf
  language: string
  /** `OWNER/NAME` on GitHub. */
  repository: string
  commit: string
  path: string
  /** First 16 hexadecimal digits of the SHA-256 hash of the file. */
  sha: string
  /** Address that the page is assumed to have. */
  url: string
  people: HashedPerson[]
  /** Name hashes of the organization's people whose titles the page does not state. */
  untitled: string[]
  /** Name hashes of advisers, honorary members and others that are not scored. */
  optional: string[]
}

export interface RealPage extends RealPageAddress {
  content: Buffer
}

const TABLE = new URL('../fixtures/gold/real-pages/pages.tsv', import.meta.url)
const COLUMNS = ['half', 'language', 'repository', 'commit', 'path', 'sha', 'url', 'people', 'untitled', 'optional']

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 16)
const folded = (text: string): string => fold(text.normalize('NFC').replace(/\s+/gu, ' ').trim())

export const hashOfName = (name: string): string => hashOf(folded(name))

/** The title is empty if the page does not state it. */
export const hashOfPair = (name: string, title: string | null): string =>
  hashOf(`${folded(name)}|${folded(title ?? '')}`)

/** Reads the table of labeled pages. The columns are separated by tabs. */
export function readRealPageAddresses(table: string | URL = TABLE): RealPageAddress[] {
  const [header, ...lines] = readFileSync(table, 'utf8').split('\n').filter(Boolean)
  if (header !== COLUMNS.join('\t')) throw new Error(`The columns must be ${COLUMNS.join(', ')}.`)
  return lines.map((line) => {
    const cells = Object.fromEntries(line.split('\t').map((cell, index) => [COLUMNS[index], cell]))
    const list = (name: string): string[] => (cells[name] ?? '').split(' ').filter(Boolean)
    return {
      ...(cells as unknown as RealPageAddress),
      people: list('people').map((cell) => {
        const [name = '', ...pairs] = cell.split(/[:,]/u)
        return { name, pairs }
      }),
      untitled: list('untitled'),
      optional: list('optional'),
    }
  })
}

/**
 * Reads the labeled pages from the public repositories in a folder (see `findRepository`). A problem names a page that
 * is missing or differs from the labeled one; the page is left out.
 */
export function readRealPages(
  folder: string,
  addresses: readonly RealPageAddress[],
): { pages: RealPage[]; problems: string[] } {
  const pages: RealPage[] = []
  const problems: string[] = []
  for (const [repository, inRepository] of Map.groupBy(addresses, ({ repository: name }) => name)) {
    const directory = findRepository(folder, repository)
    const nameOf = ({ commit, path }: RealPageAddress): string => `${commit}:${path}`
    const files = directory === undefined ? null : readGitFiles(directory, inRepository.map(nameOf))
    for (const address of inRepository) {
      const content = files?.get(nameOf(address))
      if (content !== undefined && hashOf(content) === address.sha) pages.push({ ...address, content })
      else {
        const problem =
          files === null
            ? 'the repository is missing'
            : content === undefined
              ? 'the commit or file is missing'
              : 'the file has changed'
        problems.push(`${repository} ${nameOf(address)}: ${problem}`)
      }
    }
  }
  return { pages, problems }
}
