import { hash } from 'node:crypto'
import { foldAccents } from '../lib/fold-accents.ts'
import { hashEmail } from './email-hash.ts'
import { fromFiledOrder, nameKey } from './name-key.ts'
import { nameRuns } from './name-runs.ts'
import { profileKey } from './profile-key.ts'
import type { Subject } from './subject.ts'

export const ERASED = '[erased]'

/**
 * Finds mentions of a person in texts. `domain` identifies the company that a text is about, and is null for an unknown
 * company. If the company is known, names match only in texts about the person's companies.
 */
export interface Matcher {
  subject: Subject
  isOwn(ids: { person_id?: unknown; email_hash?: unknown }): boolean
  /** Replaces the person's identifiers in the text with `[erased]`. */
  redact(text: string, domain: string | null): string
  /** Reports whether the whole text is the person's name, or the text contains an identifier of the person. */
  isNamed(value: string, domain: string | null): boolean
  /**
   * A case-insensitive PostgreSQL regular expression that matches every text that names the person, and may also match
   * other texts.
   */
  pattern: string
}

/** Maximum length of a text that can itself be a name. */
const MAX_NAME = 100
const ADDRESS = /[^\s@<>"'(),;:=?&/\\[\]]+(?:@|%40)[\p{L}\p{N}.-]+[\p{L}\p{N}]/giu
const DIGEST = /(?<![0-9a-z])(?:[0-9a-f]{64}|[0-9a-f]{16})(?![0-9a-z])/gi
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const URL_TEXT = /[^\s"'<>()]+\/[^\s"'<>()]+/g

export function createMatcher(subject: Subject): Matcher {
  const keysAt = new Map([...subject.names].map(([domain, names]) => [domain, new Set([...names].map(nameKey))]))
  const allKeys = new Set([...keysAt.values()].flatMap((keys) => [...keys]))
  const digests = new Set([
    ...subject.emailHashes,
    ...[...subject.names.values()].flatMap((names) => [...names].map(nameDigest)),
  ])
  const isName = (text: string, domain: string | null): boolean =>
    (domain === null ? allKeys : keysAt.get(domain))?.has(nameKey(text)) === true

  const redact = (text: string, domain: string | null): string =>
    redactNames(
      text
        .replace(ADDRESS, (found) => (hasAddress(subject, found) ? ERASED : found))
        .replace(DIGEST, (found) => (digests.has(found.slice(0, 16).toLowerCase()) ? ERASED : found))
        .replace(UUID, (found) => (subject.personIds.has(found.toLowerCase()) ? ERASED : found))
        .replace(URL_TEXT, (found) =>
          subject.profileKeys.has(profileKey(found.replace(/[.,;]+$/, ''))) ? ERASED : found,
        ),
      (run) => isName(run, domain),
    )
  return {
    subject,
    isOwn: ({ person_id, email_hash }) =>
      // A person_key without an email hash consists of `id:` and the person's ID.
      subject.personIds.has(String(person_id).replace(/^id:/, '')) || subject.emailHashes.has(String(email_hash)),
    redact,
    isNamed: (value, domain) =>
      (value.length <= MAX_NAME && (isName(value, domain) || isName(fromFiledOrder(value), domain))) ||
      redact(value, domain) !== value,
    pattern: patternOf(subject, digests, allKeys),
  }
}

/** Replaces every word sequence that matches a suppressed name. */
export function redactNames(text: string, isName: (run: string) => boolean): string {
  let redacted = ''
  let end = 0
  for (const run of nameRuns(text)) {
    if (run.start < end || !isName(run.text)) continue
    redacted += text.slice(end, run.start) + ERASED
    end = run.end
  }
  return redacted + text.slice(end)
}

function hasAddress({ addresses, emailHashes }: Subject, found: string): boolean {
  const { email, hash } = hashEmail(found.replace(/%40/i, '@').replace(/^mailto:/i, ''))
  return addresses.has(email) || emailHashes.has(hash)
}

/** Returns the key that warehouses use for a person without an address. */
export const nameDigest = (fullName: string): string => hash('md5', fullName.toLowerCase()).slice(0, 16)

function patternOf(
  { addresses, emailHashes, personIds, profileKeys }: Subject,
  digests: ReadonlySet<string>,
  nameKeys: ReadonlySet<string>,
): string {
  // If only the hash of an address is known, every text that contains an address must be checked.
  const unnamed = emailHashes.size > addresses.size ? ['@', '%40'] : []
  const literals = [...addresses].flatMap((address) => [address, address.replace('@', '%40')])
  const parts = [...literals, ...digests, ...personIds, ...profileKeys, ...unnamed].map(escapeRegex)
  const names = [...nameKeys].map((key) => key.split(' '))
  const orders = names.flatMap((words) => (words.length > 1 ? [words, words.toReversed()] : [words]))
  return [...parts, ...orders.map((words) => words.map(anySpelling).join('.{1,80}'))].join('|')
}

const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Matches the word with any accents, and with apostrophes between its letters: `Zoe` also matches `Zoë`. */
const anySpelling = (word: string): string =>
  [...foldAccents(word)].map((letter) => `[${escapeInClass(letter)}\\u0080-\\uffff]`).join("[\\u0300-\\u036f'’.]*")

const escapeInClass = (letter: string): string => (/[\]\\^-]/.test(letter) ? `\\${letter}` : letter)
