/** The `enrichment.rendering` section of config/talhouse.yaml. */
export interface RenderingSettings {
  engine: 'none' | 'chromium'
  /** Path of Chromium. If empty, Chromium is found in PATH. */
  executable: string
  /** Maximum number of pages that are rendered concurrently. */
  processes: number
  /** Maximum number of rendered pages per company. */
  pages_per_company: number
  /** Time limit for all rendered pages of a company, in seconds. */
  seconds: number
  /** Maximum number of requests that the rendered pages of a company may send. */
  requests_per_company: number
  /** Maximum size of the responses to these requests, in bytes. */
  max_bytes: number
  /** Maximum memory of Chromium, in megabytes. */
  megabytes: number
}
