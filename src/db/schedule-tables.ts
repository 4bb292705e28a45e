export interface FirmScheduleFilingTable {
  crd_number: number
  filing_id: number
  submitted_at: string
  file: string
}

/** An entry of Schedule A (direct owners and executive officers) or B (indirect owners). */
export interface ScheduleEntry {
  schedule: 'A' | 'B'
  full_legal_name: string
  /** `I`: natural person; `DE`: domestic entity; `FE`: foreign entity. */
  owner_type: 'I' | 'DE' | 'FE'
  entity_in_which: string | null
  title: string | null
  /** Month as filed: `08/2012`, `May-12`. */
  status_acquired: string | null
  /** Ownership code as filed; `NA` means less than 5 percent. */
  ownership_code: string | null
  control_person: boolean | null
  public_reporting: boolean | null
  owner_id: string | null
}

export interface FirmOwnerTable extends ScheduleEntry {
  crd_number: number
  position: number
}

/** Owners and officers from Form ADV Schedules A and B. */
export interface ScheduleTables {
  firm_schedule_filing: FirmScheduleFilingTable
  firm_owner: FirmOwnerTable
}
