import { readWordSet } from '../vocabulary/read-words.ts'

/** schema.org's `Organization` and its subtypes (release 30), and other types that sites use for organizations. */
export const ORGANISATION_TYPES = readWordSet('schema-org/organization-types')
