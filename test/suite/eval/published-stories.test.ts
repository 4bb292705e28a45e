import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LabeledAddress } from '../../eval/published-stories.ts'
import { assembleStories, hashOf, readAddresses, readTexts, STORY_TABLES } from '../../eval/published-stories.ts'

const folder = mkdtempSync(join(tmpdir(), 'published-stories-'))
const checkout = join(folder, 'acme', 'news')
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-C', checkout, ...args], {
    encoding: 'utf8',
  }).trim()
const commits: string[] = []

function commit(files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, name)), { recursive: true })
    writeFileSync(join(checkout, name), content)
  }
  git('add', '.')
  git('commit', '--quiet', '--message', 'Add news')
  commits.push(git('rev-parse', '--short=12', 'HEAD'))
}

beforeAll(() => {
  mkdirSync(checkout, { recursive: true })
  git('init', '--quiet')
  commit({
    'feed.json': JSON.stringify({
      items: [{ title: 'Acme buys Bolt', summary: '<p>Acme &amp; Bolt agree on a price.</p>' }],
    }),
  })
  commit({
    'feed.json': JSON.stringify({ items: [{ title: 'Bolt opens a plant', summary: 'Bolt opens a plant' }] }),
    'rows.csv': 'Title,Text\n"Bolt, Inc. hires 40 people","Bolt wants to grow in Ohio this year."\nBolt wins prize,\n',
    'bare.csv': '"3","Bolt raises  #36;5 million","The round was led\\by Acme, the company said."\n',
    'a file.md': `# Bolt names a chief\n\nDETROIT -- ${'Bolt named a chief executive today. '.repeat(12)}\n`,
    'links.md':
      '  * [Bolt sues Acme](https://news.example/1) (The Gazette)\n### May 08, 2025, 21:11 ET Bolt and Acme settle\n',
    'post.md': "---\ntitle: 'Bolt''s new office'\n---\n",
    'list.js': 'export const news = [{\n  "title": "Bolt launches \\"Volt\\"",\n  "description": null,\n}]\n',
  })
  git('clone', '--quiet', '--bare', checkout, join(folder, 'acme', 'bare.git'))
})

afterAll(() => rmSync(folder, { recursive: true }))

const at = (path: string, locator: string, index = 1, repository = 'acme/news') => ({
  repository,
  commit: commits[index] as string,
  path,
  locator,
})

describe('readTexts', () => {
  it('reads stories of JSON, CSV and text files at a commit', () => {
    const texts = readTexts(folder, [
      at('feed.json', '/items/0 title summary', 0),
      at('feed.json', '/items/0 title summary'),
      at('rows.csv', '1 Title Text'),
      at('rows.csv', '2 Title Text'),
      at('bare.csv', '1 2 3'),
      at('links.md', '1'),
      at('links.md', '2'),
      at('post.md', '2'),
      at('list.js', '2 3'),
    ])
    expect(texts).toEqual([
      { headline: 'Acme buys Bolt', lead: 'Acme & Bolt agree on a price.' },
      { headline: 'Bolt opens a plant', lead: null },
      { headline: 'Bolt, Inc. hires 40 people', lead: 'Bolt wants to grow in Ohio this year.' },
      { headline: 'Bolt wins prize', lead: null },
      { headline: 'Bolt raises $5 million', lead: 'The round was led by Acme, the company said.' },
      { headline: 'Bolt sues Acme', lead: null },
      { headline: 'Bolt and Acme settle', lead: null },
      { headline: "Bolt's new office", lead: null },
      { headline: 'Bolt launches "Volt"', lead: null },
    ])
  })

  it('truncates a lead at the end of a sentence', () => {
    const [text] = readTexts(folder, [at('a file.md', '1 3')])
    expect(text).toMatchObject({ headline: 'Bolt names a chief', lead: expect.stringMatching(/^DETROIT .*today\.$/u) })
    expect((text as { lead: string }).lead.length).toBeLessThanOrEqual(300)
  })

  it('reads bare repositories', () => {
    expect(readTexts(folder, [at('rows.csv', '2 Title', 1, 'acme/bare')])).toEqual([
      { headline: 'Bolt wins prize', lead: null },
    ])
  })

  it('names what is missing', () => {
    const texts = readTexts(folder, [
      at('rows.csv', '1 Title', 1, 'acme/unknown'),
      at('rows.csv', '1 Title', 0),
      { ...at('rows.csv', '1 Title'), commit: '0123456789ab' },
      at('rows.csv', '9 Title'),
      at('feed.json', '/items/7 title'),
    ])
    expect(texts).toEqual([
      'the repository is missing',
      'the commit or file is missing',
      'the commit or file is missing',
      'nothing at 9 Title',
      'nothing at /items/7 title',
    ])
  })
})

describe('assembleStories', () => {
  it('writes labeled stories whose headline is unchanged, and lists the changed ones', () => {
    const labels = { source: 'Gazette', type: 'Award', about: 'Bolt', other: '' }
    const table: LabeledAddress[] = [
      { ...labels, ...at('rows.csv', '2 Title Text'), sha: hashOf('Bolt wins prize') },
      { ...labels, ...at('rows.csv', '1 Title Text'), sha: hashOf('Bolt hires 40 people') },
      { ...labels, ...at('post.md', '2'), sha: hashOf("Bolt's new office"), type: '' },
    ]
    const { stories, problems } = assembleStories(folder, table)
    expect(stories).toBe('source\ttype\tabout\tother\theadline\tlead\nGazette\tAward\tBolt\t\tBolt wins prize\t\n')
    expect(problems).toEqual([`acme/news ${commits[1]} rows.csv 1 Title Text: the headline has changed`])
  })
})

describe.each(Object.entries(STORY_TABLES))('the set %s', (_name, file) => {
  it('contains addresses', () => {
    for (const { repository, commit, path, locator, sha } of readAddresses(file)) {
      expect(repository).toMatch(/^[\w.-]+\/[\w.-]+$/u)
      expect(commit).toMatch(/^[\da-f]{12}$/u)
      expect(path).not.toBe('')
      expect(locator).not.toBe('')
      expect(sha).toMatch(/^[\da-f]{16}$/u)
    }
  })
})

it('has no held-out story or publication in another set', () => {
  const { training, uncertain, ...heldOut } = Object.fromEntries(
    Object.entries(STORY_TABLES).map(([name, file]) => [name, readAddresses(file)]),
  )
  const sets = [[...(training ?? []), ...(uncertain ?? [])], ...Object.values(heldOut)]
  for (const column of ['sha', 'source'] as const) {
    const values = sets.flatMap((set) => [...new Set(set.map((story) => story[column]))])
    expect(new Set(values).size).toBe(values.length)
  }
})
