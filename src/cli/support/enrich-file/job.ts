import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { TalImportRow } from '../../../contract/tal-sheets.ts'
import { AppError, systemCode } from '../../../lib/errors.ts'
import type { SheetColumns } from '../../../spreadsheets/find-columns.ts'
import { isUsed } from '../../../spreadsheets/list-entries.ts'
import type { Sheet } from '../../../spreadsheets/read-sheet.ts'
import { readSheet } from '../../../spreadsheets/read-sheet.ts'
import { COMPANY_COST, LEADERSHIP_COST, SIGNALS_COST } from '../../../units/costs.ts'
import type { MatchedSheet } from '../sheet-files.ts'
import { writeWhole } from '../sheet-files.ts'

export interface EnrichGroups {
  leadership: boolean
  signals: boolean
}

/** A company to enrich. */
export interface JobCompany {
  domain: string
  /** Key sent with the submission, so that a retry within 24 hours is not charged again. */
  idempotency_key: string
  task_id: string | null
  units_charged: number
  units_refunded: number
  is_done: boolean
}

export interface JobState {
  version: 1
  /** SHA-256 of the input. */
  input: string
  groups: EnrichGroups
  include_doubtful: boolean
  columns: SheetColumns
  results: TalImportRow[]
  companies: JobCompany[]
}

/**
 * The job that writes an output file, stored next to that file until the output is complete. The job is saved before
 * the first paid request, so a job killed at any point resumes with the same idempotency keys. Keys expire after 24
 * hours; by then the company is fresh, and enriching it again is free.
 */
export interface EnrichJob {
  sheet: Sheet
  state: JobState
  save(): Promise<void>
  /** Saves the job at most once a second, because the file contains all rows of the input. */
  saveOften(): Promise<void>
  remove(): Promise<void>
}

export const unitsOf = ({ leadership, signals }: EnrichGroups): number =>
  COMPANY_COST + (leadership ? LEADERSHIP_COST : 0) + (signals ? SIGNALS_COST : 0)

const fileOf = (out: string): string => `${out}.job.json`

/**
 * Opens the unfinished job for an output file, if any. Throws `conflict` if the job has a different input or different
 * options.
 */
export async function openJob(out: string, bytes: Uint8Array, groups: EnrichGroups): Promise<EnrichJob | undefined> {
  const file = fileOf(out)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error
    return undefined
  })
  if (text === undefined) return undefined
  const state = JSON.parse(text) as JobState
  const isSame = state.groups.leadership === groups.leadership && state.groups.signals === groups.signals
  if (state.input !== hash(bytes) || !isSame)
    throw new AppError(
      'conflict',
      `${file} is an unfinished job with a different input or different options. Repeat that job's command, or delete the file to start over.`,
    )
  return jobOf(file, readSheet(bytes), state)
}

/** Creates a job without saving it. */
export function createJob(
  out: string,
  bytes: Uint8Array,
  groups: EnrichGroups,
  { sheet, columns, results }: MatchedSheet,
  includeDoubtful: boolean,
): EnrichJob {
  const id = randomUUID()
  const used = results.filter((row) => isUsed(row, includeDoubtful))
  const domains = [...new Set(used.map(({ domain }) => domain))]
  const companies = domains.map((domain) => ({
    domain,
    idempotency_key: `enrich-file-${id}-${domain}`.slice(0, 255),
    task_id: null,
    units_charged: 0,
    units_refunded: 0,
    is_done: false,
  }))
  const state: JobState = {
    version: 1,
    input: hash(bytes),
    groups,
    include_doubtful: includeDoubtful,
    columns,
    results,
    companies,
  }
  return jobOf(fileOf(out), sheet, state)
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const SAVE_EVERY_MS = 1000

function jobOf(file: string, sheet: Sheet, state: JobState): EnrichJob {
  let writing = Promise.resolve()
  let savedAt = 0
  const save = () => {
    savedAt = Date.now()
    // Writes the current state, one write at a time.
    writing = writing.then(() => writeWhole(file, JSON.stringify(state)))
    return writing
  }
  return {
    sheet,
    state,
    save,
    saveOften: async () => {
      if (Date.now() - savedAt >= SAVE_EVERY_MS) await save()
    },
    remove: () => rm(file, { force: true }),
  }
}
