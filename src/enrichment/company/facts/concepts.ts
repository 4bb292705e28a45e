import { foldAccents } from '../../../lib/fold-accents.ts'
import { readWords } from '../../vocabulary/read-words.ts'

/** Meanings of words near a number, whatever the language. */
const CONCEPTS = ['staff', 'persons', 'we', 'founding', 'beginning', 'since', 'events', 'outsiders', 'things'] as const

export type Concept = (typeof CONCEPTS)[number]

const fold = (word: string): string => foldAccents(word).toLowerCase()
/** Number of letters by which beginnings of words are indexed. */
const INDEXED = 2
const WHOLE = new Map<string, Concept[]>()
const STARTS = new Map<string, [start: string, concept: Concept][]>()
const PARTS: [part: string, concept: Concept][] = []
for (const concept of CONCEPTS)
  for (const entry of readWords(`facts/${concept}`)) {
    const text = fold(entry.replaceAll('*', ''))
    if (entry.startsWith('*')) PARTS.push([text, concept])
    else if (entry.endsWith('*')) {
      const index = text.slice(0, INDEXED)
      STARTS.set(index, [...(STARTS.get(index) ?? []), [text, concept]])
    } else WHOLE.set(text, [...(WHOLE.get(text) ?? []), concept])
  }

const MAX_KNOWN = 20_000
const known = new Map<string, readonly Concept[]>()

/**
 * Returns the meanings of a word. The lists contain whole words, beginnings of words (`employee*`) and parts of words
 * (`*mitarbeiter*`).
 */
export function conceptsOf(word: string): readonly Concept[] {
  const found = known.get(word) ?? lookUp(fold(word))
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(word, found)
  return found
}

const lookUp = (word: string): Concept[] => [
  ...(WHOLE.get(word) ?? []),
  ...(STARTS.get(word.slice(0, INDEXED)) ?? []).flatMap(([start, concept]) =>
    word.startsWith(start) ? [concept] : [],
  ),
  ...PARTS.flatMap(([part, concept]) => (word.includes(part) ? [concept] : [])),
]
