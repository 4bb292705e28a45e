import { WAREHOUSE_PLACES } from '../../src/personal-data/warehouse-places.ts'

/**
 * A pipeline's datasets: warehouse tables such as `warehouse.firm`, service paths such as `/firms`, and `snapshots`.
 */
export interface Datasets {
  reads: readonly string[]
  writes: readonly string[]
}

const RECORDS = [
  'warehouse.company',
  'warehouse.person',
  'warehouse.former_person',
  'warehouse.signal',
  'warehouse.company_provenance',
  'warehouse.person_provenance',
] as const
const FIRMS = ['warehouse.firm', 'warehouse.firm_previous'] as const
const REJECTED = ['warehouse.quarantine', 'warehouse.schema_drift'] as const
const MEMBERS_API = ['/v2/companies', '/v2/companies/persons'] as const
const HISTORY_API = ['/v2/companies/history', '/v2/persons/history'] as const

const ERASURES: Datasets = {
  reads: ['/v2/privacy/erasures'],
  writes: [...new Set(WAREHOUSE_PLACES.map(({ table }) => table))].filter((table) => table.startsWith('warehouse.')),
}
const MEMBERS: Datasets = {
  reads: ['/v2/clients/me/tal/companies', ...MEMBERS_API],
  writes: ['warehouse.tal_member', ...RECORDS, 'warehouse.history_event', ...REJECTED],
}
const PULLED_FIRMS: Datasets = { reads: ['/firms'], writes: [...FIRMS, 'warehouse.firm_coverage', ...REJECTED] }
const HISTORY: Datasets = {
  reads: ['warehouse.tal_member', 'warehouse.person', 'warehouse.former_person', ...HISTORY_API],
  writes: ['warehouse.history_event', ...REJECTED],
}
const STORED = ['warehouse.tal_member', ...RECORDS, ...FIRMS, 'warehouse.history_event'] as const
const REPAIR: Datasets = {
  reads: [...new Set([...MEMBERS.reads, ...PULLED_FIRMS.reads, ...HISTORY.reads])],
  writes: [...STORED, 'warehouse.firm_coverage', ...REJECTED],
}
const NONE: Datasets = { reads: [], writes: [] }

const DATASETS: Readonly<Record<string, Datasets>> = {
  erasures: ERASURES,
  'tal-members': MEMBERS,
  'refresh-members': { ...MEMBERS, reads: ['warehouse.submission', ...MEMBERS.reads] },
  'replay-members': { reads: [], writes: [...RECORDS, ...REJECTED] },
  'replay-history': { reads: [], writes: ['warehouse.history_event', ...REJECTED] },
  firms: PULLED_FIRMS,
  'enrich-due': {
    reads: ['warehouse.tal_member', 'warehouse.company', '/v2/enrich', '/v2/tasks', '/v2/usage'],
    writes: ['warehouse.submission'],
  },
  staleness: {
    reads: ['warehouse.tal_member', 'warehouse.company', 'warehouse.submission'],
    writes: [
      ...['warehouse.freshness_target', 'warehouse.enrichment_group'],
      ...['warehouse.freshness_by_night', 'warehouse.forecast_by_night'],
    ],
  },
  history: HISTORY,
  repair: REPAIR,
  spending: { reads: ['/v2/usage/ledger'], writes: ['warehouse.ledger_line'] },
  expectations: { reads: STORED, writes: [] },
  export: { reads: STORED, writes: ['snapshots'] },
}

/** The datasets of a pipeline. Empty for a pipeline that only runs other pipelines or reads all tables to check them. */
export const datasetsOf = (pipeline: string): Datasets => DATASETS[pipeline] ?? NONE
