import type { Kysely } from 'kysely'
import { pluralize } from '../../src/lib/pluralize.ts'
import type { Raw } from '../warehouse/raw-record.ts'
import { isRaw } from '../warehouse/raw-record.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { RecordKind } from './field-names.ts'
import type { NameMap } from './name-map.ts'
import { learnNames, mapNames } from './name-map.ts'
import type { EventOrder, FirmFieldSet, HostOverrides, HostProfile, PagedList, TotalKind } from './profile.ts'
import { withOverrides } from './profile.ts'
import type { UnknownField } from './store.ts'
import { readHost, recordDrift, saveProfile } from './store.ts'
import type { TaskStatus } from './words.ts'
import { isEnrichmentStatus, isTaskStatus, translateWord } from './words.ts'

/** The parts of a run context that the profile needs. */
export interface HostContext {
  client: { readonly baseUrl: string }
  warehouse: { db: Kysely<WarehouseTables> }
  settings: { readonly host: HostOverrides }
}

/**
 * The host that a run reads from. Detects the host's names for fields and translates its records to the interface's
 * names. Stores detected names before any row that depends on them.
 */
export class Host {
  readonly #context: HostContext
  /** The profile without the overrides. */
  readonly #detected: HostProfile
  #profile: HostProfile
  /** Name maps, by record kind and the record's set of names. */
  readonly #maps = new Map<string, NameMap>()
  /** The latest name map of each kind. Consecutive records usually have the same field names. */
  readonly #latest = new Map<RecordKind, { names: readonly string[]; map: NameMap }>()
  /** Unknown fields that are already stored, as `kind.field`. */
  readonly #known: Set<string>
  readonly #new: string[] = []

  private constructor(context: HostContext, detected: HostProfile, known: Set<string>) {
    this.#context = context
    this.#detected = detected
    this.#profile = withOverrides(detected, context.settings.host)
    this.#known = known
  }

  /** Reads the stored profile and applies the overrides in the settings. */
  static async open(context: HostContext): Promise<Host> {
    const { detected, known } = await readHost(context.warehouse.db, context.client.baseUrl, context.settings.host)
    return new Host(context, detected, known)
  }

  get profile(): Readonly<HostProfile> {
    return this.#profile
  }

  /**
   * Detects names in the records and translates the records. Puts unknown fields in `extra`. Returns values that are
   * not records unchanged.
   */
  async translate(kind: RecordKind, records: readonly unknown[]): Promise<unknown[]> {
    await this.#learn(kind, records.filter(isRaw))
    const translated = records.map((record) => (isRaw(record) ? this.view(kind, record) : record))
    await this.#reportUnknown(kind, translated)
    return translated
  }

  /** Translates a record without detecting names. */
  view(kind: RecordKind, raw: Raw): Raw {
    const map = this.#mapOf(kind, raw)
    const status = 'enrichment_status' in map.fields ? raw[map.fields['enrichment_status'] as string] : undefined
    const word = translateWord('enrichment_status', status, this.#profile.words.enrichment_status)
    if (map.isSame && word === status) return raw
    const record: Raw = {}
    for (const [field, name] of Object.entries(map.fields)) record[field] = raw[name]
    for (const name of map.unstored) record[name] ??= raw[name]
    if (status !== undefined) record['enrichment_status'] = word
    if (map.unknown.length > 0) record['extra'] = Object.fromEntries(map.unknown.map((name) => [name, raw[name]]))
    return record
  }

  /** The host's name for a field in requests. */
  nameOf(kind: RecordKind, field: string): string {
    return this.#profile.fields[kind]?.[field] ?? field
  }

  /**
   * Translates a task's status to the interface's terms. An unknown status is treated as running, so that the task is
   * not closed.
   */
  taskStatus(word: string): TaskStatus {
    const status = translateWord('task_status', word, this.#profile.words.task_status)
    return isTaskStatus(status) ? status : 'running'
  }

  async learnTotals(list: PagedList, kind: TotalKind | undefined): Promise<void> {
    if (kind === undefined || this.#detected.totals[list] === kind) return
    this.#detected.totals[list] = kind
    await this.#save()
  }

  async learnLimit(list: PagedList, limit: number): Promise<void> {
    if (this.#detected.limits[list] === limit) return
    this.#detected.limits[list] = limit
    await this.#save()
  }

  async learnFirmFields(set: FirmFieldSet): Promise<void> {
    if (this.#detected.firm_fields === set) return
    this.#detected.firm_fields = set
    await this.#save()
  }

  async learnEventOrder(order: EventOrder): Promise<void> {
    if (this.#detected.event_order === order) return
    this.#detected.event_order = order
    await this.#save()
  }

  /**
   * The degradation reasons for unknown fields that were first received in this run. Each field is reported only once.
   */
  driftReasons(): string[] {
    if (this.#new.length === 0) return []
    const fields = this.#new.toSorted().join(', ')
    return [
      `schema drift: the service sends ${pluralize(this.#new.length, 'unknown field or term', 'unknown fields or terms')} (${fields}), stored in the column extra and listed in warehouse.schema_drift`,
    ]
  }

  #mapOf(kind: RecordKind, raw: Raw): NameMap {
    return (
      this.#findMap(kind, raw) ??
      this.#keepMap(kind, raw, mapNames(kind, raw, this.#profile.fields[kind] ?? {}, this.#overridden(kind)))
    )
  }

  #findMap(kind: RecordKind, raw: Raw): NameMap | undefined {
    const names = Object.keys(raw)
    const latest = this.#latest.get(kind)
    if (latest && latest.names.length === names.length && latest.names.every((name, index) => name === names[index]))
      return latest.map
    const map = this.#maps.get(`${kind}\0${names.join('\0')}`)
    if (map) this.#latest.set(kind, { names, map })
    return map
  }

  #keepMap(kind: RecordKind, raw: Raw, map: NameMap): NameMap {
    this.#maps.set(`${kind}\0${Object.keys(raw).join('\0')}`, map)
    return map
  }

  async #learn(kind: RecordKind, raws: readonly Raw[]): Promise<void> {
    let hasLearned = false
    for (const raw of raws) {
      // Records with known field names are skipped, except events, because the values of events also help to detect
      // names.
      if (kind !== 'event' && this.#findMap(kind, raw)) continue
      const names = learnNames(kind, raw, this.#detected.fields[kind] ?? {}, this.#overridden(kind))
      if (Object.keys(names).length > 0) {
        this.#detected.fields[kind] = { ...this.#detected.fields[kind], ...names }
        this.#profile = withOverrides(this.#detected, this.#context.settings.host)
        this.#maps.clear()
        this.#latest.clear()
        hasLearned = true
      }
      this.#mapOf(kind, raw)
    }
    if (hasLearned) await this.#save(kind)
  }

  readonly #overridden = (kind: RecordKind): Readonly<Record<string, string>> =>
    this.#context.settings.host.fields[kind] ?? {}

  async #reportUnknown(kind: RecordKind, records: readonly unknown[]): Promise<void> {
    const unknown = new Map<string, UnknownField>()
    const note = (field: string, type: string): void => {
      if (!this.#known.has(`${kind}.${field}`)) unknown.set(field, { entity: kind, field, type })
    }
    for (const record of records.filter(isRaw)) {
      const { extra, enrichment_status: word } = record
      if (isRaw(extra)) for (const [field, value] of Object.entries(extra)) note(field.slice(0, 200), typeName(value))
      if (kind === 'company' && typeof word === 'string' && !isEnrichmentStatus(word))
        note(`enrichment_status = ${word.slice(0, 50)}`, 'word')
    }
    if (unknown.size === 0) return
    for (const field of unknown.keys()) this.#known.add(`${kind}.${field}`)
    const { warehouse, client } = this.#context
    for (const field of await recordDrift(warehouse.db, client.baseUrl, [...unknown.values()]))
      this.#new.push(`${kind}.${field}`)
  }

  async #save(changed?: RecordKind): Promise<void> {
    const { warehouse, client, settings } = this.#context
    this.#profile = withOverrides(this.#detected, settings.host)
    await saveProfile(
      warehouse.db,
      { url: client.baseUrl, detected: this.#detected, overrides: settings.host },
      changed,
    )
  }
}

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
