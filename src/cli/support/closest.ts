import { editDistance } from '../../lib/edit-distance.ts'

/** Returns the candidate closest to a misspelled word; undefined if no candidate is similar. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editDistance(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.edits - b.edits)
  return best?.candidate
}
