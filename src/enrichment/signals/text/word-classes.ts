import { readWords } from '../../vocabulary/read-words.ts'

/** Event classes in order of precedence. A word or phrase in several lists belongs to the first of them. */
const EVENTS = [
  'RAISE',
  'ROUND',
  'DEBT',
  'OFFERING',
  'GRANT',
  'FUNDCLOSE',
  'MINORITY',
  'MAJORITY',
  'STAKE',
  'INVEST',
  'FUNDS',
  'ACQUIRE',
  'SELL',
  'MERGE',
  'PARTNER',
  'AGREEMENT',
  'DISTRIBUTE',
  'APPOINT',
  'DEPART',
  'HIRE',
  'JOINS',
  'JOBS',
  'EXPAND',
  'OPEN',
  'LAUNCH',
  'ADOPT',
  'PATENT',
  'AWARD',
  'RANKER',
  'REGULATOR',
  'SANCTION',
  'APPROVAL',
]

/**
 * Classes for things and people, and for the vocabulary used in stories that are not signals. Event classes take
 * precedence.
 */
const THINGS = [
  'ROLE',
  'FOUNDER',
  'VETERAN',
  'NEXT',
  'ADVISER',
  'WIREHOUSE',
  'RIA',
  'WORKERS',
  'SITE',
  'PLACE',
  'NATION',
  'PRODUCT',
  'VENDOR',
  'TECH',
  'RESULTS',
  'OPINION',
  'EVENT',
  'DOWNSIZE',
  'COMMUNITY',
  'NOTICE',
]

export const EVENT_CLASSES: ReadonlySet<string> = new Set(EVENTS)

/** Words and phrases by class, in order of precedence. */
export const WORD_CLASSES: readonly { label: string; words: readonly string[] }[] = [
  ...EVENTS.map((label) => ({ label, words: readWords(`headlines/events/${label.toLowerCase()}`) })),
  ...THINGS.map((label) => ({ label, words: readWords(`headlines/things/${label.toLowerCase()}`) })),
]
