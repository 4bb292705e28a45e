import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import type { RecordKind } from './field-names.ts'
import { FIELD_NAMES, isUnstored, plainName, REQUIRED } from './field-names.ts'
import { hostTime } from './times.ts'

type NamesByField = Readonly<Record<string, string>>

/** The mapping between the interface's field names and a record's names. */
export interface NameMap {
  /** The record's name for each field. */
  fields: NamesByField
  /** Names that talhouse recognizes but that have no column in the tables. */
  unstored: readonly string[]
  unknown: readonly string[]
  /** Whether every field has the interface's name and no name is unknown. */
  isSame: boolean
}

/**
 * Maps a record's fields. The order of precedence is: configured names (`fixed`), the interface's name, detected names
 * (`learned`).
 */
export function mapNames(kind: RecordKind, raw: Raw, learned: NamesByField, fixed: NamesByField): NameMap {
  const fields: Record<string, string> = {}
  for (const field of Object.keys(FIELD_NAMES[kind])) {
    const name = fixed[field] ?? (field in raw ? field : (learned[field] ?? findName(kind, field, raw)))
    if (name !== undefined && name in raw) fields[field] = name
  }
  const read = new Set(Object.values(fields))
  const rest = Object.keys(raw).filter((name) => !read.has(name))
  const unstored = rest.filter((name) => isUnstored(kind, name))
  const unknown = rest.filter((name) => !isUnstored(kind, name))
  const isSame = unknown.length === 0 && Object.entries(fields).every(([field, name]) => field === name)
  return { fields, unstored, unknown, isSame }
}

/** Detects names for fields that have no detected name yet, or whose detected name is missing from the record. */
export function learnNames(
  kind: RecordKind,
  raw: Raw,
  learned: NamesByField,
  fixed: NamesByField,
): Record<string, string> {
  const names: Record<string, string> = {}
  for (const field of Object.keys(FIELD_NAMES[kind])) {
    const current = learned[field]
    if (field in fixed || current === field || (current !== undefined && current in raw && !(field in raw))) continue
    // A missing optional field may just be absent, but a missing required field must have another name.
    if (current !== undefined && !(field in raw) && !REQUIRED[kind]?.includes(field)) continue
    const name = field in raw ? field : findName(kind, field, raw)
    if (name !== undefined && name !== current) names[field] = name
  }
  return names
}

/** Finds the record's name for a field that does not have the interface's name. */
function findName(kind: RecordKind, field: string, raw: Raw): string | undefined {
  const byPlainName = new Map(Object.keys(raw).map((name) => [plainName(name), name]))
  const own = new Set(Object.keys(FIELD_NAMES[kind]).map(plainName))
  return [field, ...(FIELD_NAMES[kind][field] ?? [])]
    .map(plainName)
    .filter((plain) => plain === plainName(field) || !own.has(plain))
    .map((plain) => byPlainName.get(plain))
    .find((name) => name !== undefined && !isUnstored(kind, name) && fits(kind, field, raw[name]))
}

/** Whether the value fits the field. A name whose value does not fit probably belongs to another field. */
function fits(kind: RecordKind, field: string, value: unknown): boolean {
  if (kind !== 'event') return !isRaw(value)
  if (field === 'changed_at') return hostTime(value) !== undefined
  return field !== 'field' || typeof value === 'string'
}
