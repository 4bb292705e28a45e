/** What every pipeline counts while it works. Rows are the warehouse's, requests the service's. */
export interface Counts {
  inserted: number
  updated: number
  unchanged: number
  gone: number
  quarantined: number
  requests: number
}
