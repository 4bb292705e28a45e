import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readWords } from '../../../../src/enrichment/vocabulary/read-words.ts'

const FOLDER = new URL('../../../../src/enrichment/vocabulary/', import.meta.url)
const LISTS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.txt'))
  .map((path) => path.slice(0, -'.txt'.length).replaceAll('\\', '/'))

test.each(LISTS)('%s is sorted, without duplicates or stray white space', (list) => {
  const words = readWords(list)
  expect(words.length).toBeGreaterThan(0)
  expect(words).toEqual([...new Set(words)].toSorted())
  expect(words.filter((word) => word !== word.trim())).toEqual([])
})

test('NOTICE.md names every word list and no other', () => {
  const notice = readFileSync(new URL('NOTICE.md', FOLDER), 'utf8')
  const named = [...notice.matchAll(/^\| `([^`]+)` \|/gm)].map(([, list]) => list)
  expect(named.toSorted()).toEqual(LISTS.toSorted())
})
