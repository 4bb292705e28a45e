import { expect, test } from 'vitest'
import { classifyText, TEXT_KINDS } from '../../../../../src/enrichment/people/models/classify-text.ts'

const likeliest = (text: string): string => {
  const kinds = classifyText(text)
  return TEXT_KINDS.toSorted((a, b) => kinds[b] - kinds[a])[0] as string
}

test.each([
  'Jörn Erfundenmann',
  'Oksana Vymyslenko',
  'Aino Keksinen',
  'Feride Uydurmaoğlu',
])('recognises %s as a name', (text) => expect(likeliest(text)).toBe('name'))

test.each([
  'Toimitusjohtaja',
  'Kierownik magazynu',
  'Üretim Müdürü',
  'Chief Scientist',
  '代表取締役',
])('recognises %s as a title', (text) => expect(likeliest(text)).toBe('title'))

test.each([
  'Opening Hours',
  'Gentle Grip',
  'Flachdach Express',
  'Nos services',
  'Lake View Room',
])('recognises %s as neither a name nor a title', (text) => expect(likeliest(text)).toBe('other'))

test('returns probabilities of text kinds that add up to one', () => {
  const { name, title, other } = classifyText('Jane Doe')
  expect(name + title + other).toBeCloseTo(1)
})
