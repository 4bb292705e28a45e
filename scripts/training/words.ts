/**
 * Words to train on: names from @faker-js/faker (MIT), and the titles, phrases and headings in
 * `test/fixtures/training`. Every word belongs to one of two halves. The page models are trained on pages built from
 * the second half, with text models trained only on the first half. The page models thus learn how reliable the text
 * models are for unknown words.
 */
import { readFileSync } from 'node:fs'
import { allLocales } from '@faker-js/faker'
import type { SectionKind } from '../../src/enrichment/people/models/classify-section.ts'

/** Joke locales, Esperanto, and the base locale. */
const SKIPPED = new Set(['en_BORK', 'en_AU_ocker', 'eo', 'base'])

export type Half = 'first' | 'second' | 'both'

export function isIn(half: Half, text: string): boolean {
  if (half === 'both') return true
  let hash = 0x811c9dc5
  for (const letter of text.toLowerCase()) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return ((hash >>> 8) % 2 === 0) === (half === 'first')
}

export const locales = Object.keys(allLocales).filter((locale) => !SKIPPED.has(locale))
export const localeData = (locale: string): Record<string, Record<string, unknown> | undefined> =>
  allLocales[locale as keyof typeof allLocales] as never

/** Returns all strings in a locale's data, at any depth. */
export const strings = (data: unknown): string[] =>
  typeof data === 'string' ? [data] : data && typeof data === 'object' ? Object.values(data).flatMap(strings) : []

/** Chinese and Korean family names, and some given names, have a single character. */
export const usable = (text: string): boolean =>
  (text.length > 1 || /\p{Script=Han}|\p{Script=Hangul}/u.test(text)) && text.length < 40 && !/[{}#]/u.test(text)

export const fixture = (file: string): string[][] =>
  readFileSync(new URL(`../../test/fixtures/training/${file}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))

export const titles = [...fixture('titles'), ...fixture('more-titles')] as [language: string, text: string][]
export const phrases = fixture('phrases') as [language: string, text: string][]
export const sections = fixture('sections').flatMap(([language = '', kind = '', texts = '']) =>
  texts.split(';').map((text) => ({ language, kind: kind as SectionKind, text })),
)
