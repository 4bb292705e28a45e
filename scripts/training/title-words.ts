/**
 * Titles made of words in `test/fixtures/training/title-words.tsv`. A row contains the language, a seniority or a
 * department, and words. In the words of a seniority, `~` stands for a function and `^` for an occupation; `=` names the
 * department of a complete title. A department's functions stand before `|`, and its occupations after it.
 */

import { bucketOf } from '../../src/enrichment/classifier/classifier.ts'
import { DEPARTMENTS } from '../../src/enrichment/people/titles/classify-department.ts'
import { fixture } from './words.ts'

export interface WordTitle {
  language: string
  title: string
  /** Undefined if the words do not determine it. */
  seniority: string | undefined
  department: string | undefined
}

interface Word {
  text: string
  department: string
}

/** Seniorities whose titles without a function belong to general management, or to no department. */
const DEPARTMENT_ALONE: Readonly<Record<string, string>> = {
  executive: 'executive',
  board: 'executive',
  partner: 'none',
  vice_president: 'none',
}

const listOf = (words: string): string[] =>
  words
    .split(';')
    .map((word) => word.trim())
    .filter(Boolean)

/** Puts a word in a slot. Words that are joined to other letters are written in lower case. */
function fill(template: string, slot: string, word: string): string {
  const at = template.indexOf(slot)
  const isJoined = at > 0 && /\p{L}/u.test(template[at - 1] ?? '')
  return `${template.slice(0, at)}${isJoined ? word.toLowerCase() : word}${template.slice(at + 1)}`
}

/** Returns the rank alone, such as `Director` of `Director of ~`; nothing if it is joined to the function. */
const withoutSlot = (template: string): string =>
  /(?:^|\s)[~^](?:\s|$)/u.test(template) ? template.replace(/(?:\s+\p{Ll}{1,3}\.?)*\s*[~^]\s*/u, ' ').trim() : ''

/** Chooses words by a hash, so that the choice is the same in each run. */
const choose = (words: readonly Word[], count: number, seed: string): Word[] =>
  words.length === 0
    ? []
    : Array.from(
        { length: Math.min(count, words.length) },
        (_, place) => words[bucketOf(`${seed}${place}`, words.length)] as Word,
      )

/** Returns the words and, for each template, so many titles. */
export function wordTitles(perTemplate: number): WordTitle[] {
  const rows = fixture('title-words') as [language: string, kind: string, words: string][]
  const isDepartment = (kind: string): boolean =>
    (DEPARTMENTS as readonly string[]).includes(kind) && kind !== 'executive'
  return [...Map.groupBy(rows, ([language]) => language)].flatMap(([language, own]) => {
    const [functions, occupations] = [0, 1].map((side) =>
      own
        .filter(([, kind]) => isDepartment(kind))
        .flatMap(([, department, words]) =>
          listOf(words.split('|')[side] ?? '').map((text): Word => ({ text, department })),
        ),
    ) as [Word[], Word[]]
    const professionals = occupations.filter(({ department }) => department === 'legal' || department === 'finance')
    const made = own
      .filter(([, kind]) => !isDepartment(kind))
      .flatMap(([, seniority, words]) =>
        listOf(words).flatMap((entry): WordTitle[] => {
          const [template = '', stated] = entry.split('=')
          const slot = ['~', '^'].find((one) => template.includes(one))
          if (!slot)
            return [
              { language, title: template, seniority, department: stated ?? DEPARTMENT_ALONE[seniority] },
              // `Lawyer, Partner`: the occupation indicates the department.
              ...choose(seniority === 'partner' ? professionals : [], 2, `${language}${template}`).map(
                ({ text, department }) => ({ language, title: `${text}, ${template}`, seniority, department }),
              ),
            ]
          const rank = withoutSlot(template)
          return [
            ...choose(slot === '~' ? functions : occupations, perTemplate, `${language}${template}`).map(
              ({ text, department }) => ({ language, title: fill(template, slot, text), seniority, department }),
            ),
            ...(rank === '' || seniority === 'none'
              ? []
              : [{ language, title: rank, seniority, department: DEPARTMENT_ALONE[seniority] ?? 'none' }]),
          ]
        }),
      )
    return [
      ...made,
      ...functions.map(({ text, department }) => ({ language, title: text, seniority: 'none', department })),
      ...occupations.map(({ text, department }) => ({ language, title: text, seniority: 'staff', department })),
    ]
  })
}
