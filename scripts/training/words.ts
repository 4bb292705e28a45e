/**
 * Words to train on: names of @faker-js/faker (MIT), and the titles, phrases and headings in `test/fixtures/training`. Every word belongs to
 * one of two halves. The models of pages are trained with text models that know the first half only, on pages made of
 * the second half, so that they learn how reliable an unknown word is.
 */
import { readFileSync } from 'node:fs'
import { allLocales } from '@faker-js/faker'
import type { SectionKind } from '../../src/enrichment/people/models/classify-section.ts'

/** Joke locales, and Esperanto. */
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

/** Every string anywhere in a locale's data. */
export const strings = (data: unknown): string[] =>
  typeof data === 'string' ? [data] : data && typeof data === 'object' ? Object.values(data).flatMap(strings) : []

export const usable = (text: string): boolean => text.length > 1 && text.length < 40 && !/[{}#]/u.test(text)

const fixture = (file: string): string[][] =>
  readFileSync(new URL(`../../test/fixtures/training/${file}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))

export const titles = fixture('titles') as [language: string, text: string][]
export const phrases = fixture('phrases') as [language: string, text: string][]
export const sections = fixture('sections').flatMap(([language = '', kind = '', texts = '']) =>
  texts.split(';').map((text) => ({ language, kind: kind as SectionKind, text })),
)
