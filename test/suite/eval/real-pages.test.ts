import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findLabeledPeople, labelOf, realPages } from '../../../scripts/training/real-pages.ts'
import type { RealPageAddress } from '../../eval/gold-real-pages.ts'
import { hashOfName, hashOfPair, readRealPageAddresses, readRealPages } from '../../eval/gold-real-pages.ts'
import { peopleOn, RealPageScore } from '../../eval/real-page-scores.ts'

const HTML = `<!DOCTYPE html><html><head><title>Team</title></head><body><h1>Our team</h1>
  <div><h3>Ann Byrd</h3><p>Plant Manager</p></div>
  <div><h3>Tom Oduya</h3><p>Sales Director</p></div>
  <div><h3>Dr. Lena Voss</h3><p>Head of Research, Europe</p></div>
</body></html>`

const folder = mkdtempSync(join(tmpdir(), 'real-pages-'))
const checkout = join(folder, 'acme', 'site')
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-C', checkout, ...args], {
    encoding: 'utf8',
  }).trim()
let commit = ''

const person = (name: string, ...titles: string[]) => ({
  name: hashOfName(name),
  pairs: titles.map((title) => hashOfPair(name, title)),
})
const address = (changes: Partial<RealPageAddress> = {}): RealPageAddress => ({
  half: 'learn',
  language: 'en',
  repository: 'acme/site',
  commit,
  path: 'our team.html',
  sha: createHash('sha256').update(HTML).digest('hex').slice(0, 16),
  url: 'https://acme.example/team',
  people: [person('Ann Byrd', 'Plant Manager'), person('Lena Voss', 'Head of Research', 'Head of Research, Europe')],
  untitled: [hashOfName('Tom Oduya')],
  optional: [],
  ...changes,
})

beforeAll(() => {
  mkdirSync(checkout, { recursive: true })
  git('init', '--quiet')
  writeFileSync(join(checkout, 'our team.html'), HTML)
  git('add', '.')
  git('commit', '--quiet', '--message', 'Add a page')
  commit = git('rev-parse', 'HEAD')
  for (const name of [join('acme', 'bare.git'), join('acme+mirror', 'repo')]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    git('clone', '--quiet', '--bare', checkout, join(folder, name))
  }
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('readRealPages', () => {
  it('reads pages of checkouts and bare repositories at a commit', () => {
    writeFileSync(join(checkout, 'our team.html'), 'changed later')
    const wanted = ['acme/site', 'acme/bare', 'acme/mirror'].map((repository) => address({ repository }))
    const { pages, problems } = readRealPages(folder, wanted)
    expect(problems).toEqual([])
    expect(pages.map(({ content }) => content.toString())).toEqual([HTML, HTML, HTML])
  })

  it('names missing and changed pages', () => {
    const { pages, problems } = readRealPages(folder, [
      address({ repository: 'acme/unknown' }),
      address({ path: 'staff.html' }),
      address({ sha: '0123456789abcdef' }),
    ])
    expect(pages).toEqual([])
    expect(problems).toEqual([
      `acme/unknown ${commit}:our team.html: the repository is missing`,
      `acme/site ${commit}:staff.html: the commit or file is missing`,
      `acme/site ${commit}:our team.html: the file has changed`,
    ])
  })
})

describe('RealPageScore', () => {
  it('finds the people of a page', () => {
    const [page] = readRealPages(folder, [address()]).pages
    expect(page && peopleOn(page).map(({ full_name }) => full_name)).toContain('Ann Byrd')
  })

  it('compares people with hashed labels', () => {
    const score = new RealPageScore()
    score.add(address({ optional: [hashOfName('Li Roe')] }), [
      { full_name: 'Ann Byrd', title: 'plant manager' },
      { full_name: 'Lena Voss', title: 'Europe' },
      { full_name: 'Tom Oduya', title: 'Sales Director' },
      { full_name: 'Our Team', title: null },
      { full_name: 'Li Roe', title: 'Adviser' },
    ])
    expect(score.names).toMatchObject({ right: 3, missing: 0, invented: 1 })
    expect(score.people).toMatchObject({ right: 1, wrong: 1, missing: 0, invented: 2 })
    expect(score.untitled).toMatchObject({ right: 1, missing: 0 })
  })

  it('counts people who are not found, and does not require titles that the page does not state', () => {
    const score = new RealPageScore()
    score.add(address(), [{ full_name: 'Tom Oduya', title: null }])
    score.add(address(), [])
    expect(score.names).toMatchObject({ right: 1, missing: 4, invented: 0 })
    expect(score.people).toMatchObject({ right: 0, missing: 4, invented: 0 })
    expect(score.untitled).toMatchObject({ right: 1, missing: 1 })
  })
})

describe('labels for training', () => {
  it('finds the labeled names and titles in the text of a page', () => {
    expect(findLabeledPeople(address(), HTML)).toEqual({
      people: [
        { name: 'Ann Byrd', title: 'Plant Manager' },
        { name: 'Lena Voss', title: 'Head of Research' },
        { name: 'Tom Oduya', title: null },
      ],
      lost: 0,
    })
  })

  it('counts people who are not in the text', () => {
    const labels = address({ people: [person('Ann Byrd', 'Chef'), person('Max Frey', 'Chef')], untitled: [] })
    expect(findLabeledPeople(labels, HTML)).toEqual({ people: [], lost: 2 })
  })

  it('reads a person without a title if the title is optional', () => {
    const labels = address({ people: [person('Ann Byrd', 'Chef', '')], untitled: [] })
    expect(findLabeledPeople(labels, HTML).people).toEqual([{ name: 'Ann Byrd', title: null }])
  })

  it('reads only pages of the learn half whose people are all found and scored', () => {
    const { pages, problems } = realPages(folder, [
      address(),
      address({ half: 'held-out' }),
      address({ optional: [hashOfName('Li Roe')] }),
      address({ url: 'https://acme.example/lost', untitled: [hashOfName('Max Frey')] }),
    ])
    expect(pages).toEqual([
      expect.objectContaining({ group: 'acme/site', url: 'https://acme.example/team', html: HTML }),
    ])
    expect(problems).toEqual(['https://acme.example/lost: 1 people are not found'])
  })

  it.each([
    ['Ann Byrd', 'Plant Manager', 'title'],
    ['Ann Byrd', 'Sales Director', 'name'],
    ['Ann Byrd', null, 'name'],
    ['Tom Oduya', 'Sales Director', 'name'],
    ['Our Team', 'Plant Manager', 'none'],
  ])('labels %s | %s as %s', (name, title, label) => {
    expect(labelOf(address(), name, title)).toBe(label)
  })
})

describe('the labeled pages', () => {
  const pages = readRealPageAddresses()

  it('have addresses and hashed labels', () => {
    for (const { repository, commit: revision, path, sha, url, people, untitled, optional } of pages) {
      expect(repository).toMatch(/^[\w.-]+\/[\w.-]+$/u)
      expect(revision).toMatch(/^[\da-f]{40}$/u)
      expect(path).toMatch(/\.html?$/u)
      expect(URL.canParse(url)).toBe(true)
      const hashes = [sha, ...people.flatMap(({ name, pairs }) => [name, ...pairs]), ...untitled, ...optional]
      for (const hash of hashes) expect(hash).toMatch(/^[\da-f]{16}$/u)
    }
  })

  it('come from separate repositories in each half', () => {
    const held = new Set(pages.filter(({ half }) => half === 'held-out').map(({ repository }) => repository))
    expect(pages.filter(({ half, repository }) => half === 'learn' && held.has(repository))).toEqual([])
    expect(pages.filter(({ half }) => half === 'held-out')).toHaveLength(60)
  })
})
