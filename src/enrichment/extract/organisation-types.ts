import { readWordSet } from '../vocabulary/read-words.ts'

/** schema.org's `Organization` and all that descends from it (release 30), and what sites use in its place. */
export const ORGANISATION_TYPES = readWordSet('schema-org/organization-types')
