interface HostRateLimitTable {
  host: string
  next_at: string
}

interface RobotsFileTable {
  origin: string
  rules: string | null
  expires_at: string
}

export interface FetchingTables {
  host_rate_limit: HostRateLimitTable
  robots_file: RobotsFileTable
}
