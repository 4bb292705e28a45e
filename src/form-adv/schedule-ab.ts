import type { ScheduleEntry } from '../db/schedule-tables.ts'
import { AppError } from '../lib/errors.ts'
import { parseTimestamp } from '../lib/timestamps.ts'
import type { FilingRow, FilingZip } from './filing-zip.ts'

/** Base record of a filing. */
export interface Filing {
  filing_id: number
  crd_number: number
  /** Submission time, YYYY-MM-DDTHH:MM:SS, in the filing system's local time. */
  submitted_at: string
}

/** A line of Schedule A or B, as filed. */
export interface ScheduleRow extends ScheduleEntry {
  filing_id: number
}

/** Counter of unusable lines. */
export interface Skipped {
  broken: number
}

const BASE = /(^|_)(IA|ERA)_ADV_Base(_A)?(_|\.)/i
const NOT_BASE = /Base_B/i
const SCHEDULE = /(^|_)(IA|ERA)_Schedule_A_B(_|\.)/i

/** Streams the filings of advisers and exempt reporting advisers. */
export async function* readFilings(zip: FilingZip, skipped: Skipped, signal?: AbortSignal): AsyncGenerator<Filing> {
  const members = zip.members.filter((name) => BASE.test(name) && !NOT_BASE.test(name))
  if (members.length === 0) throw missing(zip, 'IA_ADV_Base_A')
  for (const member of members)
    for await (const row of zip.rows(member, () => skipped.broken++, signal)) {
      const filing_id = number(row, 'filingid')
      const crd_number = number(row, '1e1') ?? number(row, '1e')
      const submitted_at = parseSubmitted(row.get('datesubmitted') ?? '')
      if (filing_id && crd_number && submitted_at) yield { filing_id, crd_number, submitted_at }
      else skipped.broken++
    }
}

/** Streams the lines of Schedules A and B. */
export async function* readScheduleRows(
  zip: FilingZip,
  skipped: Skipped,
  signal?: AbortSignal,
): AsyncGenerator<ScheduleRow> {
  const members = zip.members.filter((name) => SCHEDULE.test(name))
  if (members.length === 0) throw missing(zip, 'IA_Schedule_A_B')
  for (const member of members)
    for await (const row of zip.rows(member, () => skipped.broken++, signal)) {
      const parsed = parseScheduleRow(row)
      if (parsed) yield parsed
      else skipped.broken++
    }
}

function parseScheduleRow(row: FilingRow): ScheduleRow | null {
  const filing_id = number(row, 'filingid')
  const schedule = row.get('schedule')?.toUpperCase()
  const owner_type = row.get('de/fe/i')?.toUpperCase()
  const full_legal_name = text(row, 'fulllegalname')
  if (!filing_id || !full_legal_name || (schedule !== 'A' && schedule !== 'B')) return null
  if (owner_type !== 'I' && owner_type !== 'DE' && owner_type !== 'FE') return null
  return {
    filing_id,
    schedule,
    full_legal_name,
    owner_type,
    entity_in_which: text(row, 'entityinwhich'),
    title: text(row, 'titleorstatus'),
    status_acquired: text(row, 'statusacquired'),
    ownership_code: text(row, 'ownershipcode'),
    control_person: flag(row, 'controlperson'),
    public_reporting: flag(row, 'pr'),
    owner_id: text(row, 'ownerid'),
  }
}

/**
 * Converts `09/03/2025 09:31:51 AM`, `6/24/2025 7:44` and `6/24/2025` to YYYY-MM-DDTHH:MM:SS. Returns null for other
 * text.
 */
export function parseSubmitted(written: string): string | null {
  const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([AP]M)?)?$/i.exec(written.trim())
  if (!found) return null
  const [, month = '', day = '', year = '', hour = '0', minute = '00', second = '00', half] = found
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour)
  const two = (value: string | number): string => String(value).padStart(2, '0')
  const date = `${year}-${two(month)}-${two(day)}`
  const time = `${two(hours)}:${minute}:${second}`
  return parseTimestamp(`${date}T${time}`) === undefined ? null : `${date}T${time}`
}

/** Returns the text of a cell; null if the cell is empty. `NA` is kept, because it is a valid value. */
const text = (row: FilingRow, heading: string): string | null => row.get(heading) || null

function number(row: FilingRow, heading: string): number | null {
  const value = row.get(heading) ?? ''
  return /^\d{1,15}$/.test(value) ? Number(value) : null
}

function flag(row: FilingRow, heading: string): boolean | null {
  const value = row.get(heading)?.toUpperCase()
  return value === 'Y' || value === 'YES' ? true : value === 'N' || value === 'NO' ? false : null
}

const missing = (zip: FilingZip, member: string) =>
  new AppError(
    'bad_input',
    `${zip.file} contains no ${member}_*.csv, so it is not a zip of filing data (ADV_Filing_Data_*.zip).`,
  )
