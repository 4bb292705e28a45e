import { plainName } from './field-names.ts'

export type TaskStatus = 'queued' | 'running' | 'completed' | 'failed'

/** Other hosts' terms for a task's status. The interface defines the four keys. */
const TASK_WORDS: Readonly<Record<TaskStatus, readonly string[]>> = {
  queued: ['pending', 'waiting', 'scheduled', 'accepted', 'created', 'new', 'submitted'],
  running: ['processing', 'in_progress', 'started', 'active', 'working'],
  completed: ['complete', 'succeeded', 'success', 'done', 'finished', 'ok'],
  failed: ['error', 'errored', 'cancelled', 'canceled', 'timed_out', 'expired', 'aborted', 'rejected'],
}

/** Other hosts' terms for `enrichment_status`. The interface defines only `complete`. */
const ENRICHMENT_WORDS: Readonly<Record<string, readonly string[]>> = {
  none: ['never', 'not_enriched', 'unenriched', 'new', 'raw', 'empty'],
  pending: ['queued', 'running', 'processing', 'in_progress', 'enriching', 'scheduled'],
  complete: ['completed', 'enriched', 'done', 'success', 'succeeded', 'finished', 'ok'],
  partial: ['incomplete', 'partially_enriched', 'partially_complete'],
  not_found: ['missing', 'no_match', 'no_data'],
  failed: ['error', 'errored', 'failure'],
}

const byPlainName = (words: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).flatMap(([word, others]) => [word, ...others].map((other) => [plainName(other), word])))

const WORDS = { task_status: byPlainName(TASK_WORDS), enrichment_status: byPlainName(ENRICHMENT_WORDS) } as const
export type WordKind = keyof typeof WORDS

/**
 * Translates a host's term to the interface's. `own` contains the terms in the host's profile. Returns unknown terms
 * unchanged.
 */
export function translateWord(kind: WordKind, word: unknown, own: Readonly<Record<string, string>> = {}): unknown {
  if (typeof word !== 'string') return word
  const plain = plainName(word)
  const [, theirs] = Object.entries(own).find(([name]) => plainName(name) === plain) ?? []
  return theirs ?? WORDS[kind].get(plain) ?? word
}

export const isTaskStatus = (word: unknown): word is TaskStatus => typeof word === 'string' && word in TASK_WORDS

export const isEnrichmentStatus = (word: string): boolean => word in ENRICHMENT_WORDS
