export interface FirmScheduleFilingTable {
  crd_number: number
  filing_id: number
  submitted_at: string
  file: string
}

export interface FirmOwnerTable {
  crd_number: number
  position: number
  schedule: 'A' | 'B'
  full_legal_name: string
  owner_type: 'I' | 'DE' | 'FE'
  entity_in_which: string | null
  title: string | null
  status_acquired: string | null
  ownership_code: string | null
  control_person: boolean | null
  public_reporting: boolean | null
  owner_id: string | null
}

/** Schedules A and B of Form ADV: who owns and directs a firm. */
export interface ScheduleTables {
  firm_schedule_filing: FirmScheduleFilingTable
  firm_owner: FirmOwnerTable
}
