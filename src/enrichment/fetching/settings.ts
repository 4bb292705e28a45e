/** The `fetching` section of config/talhouse.yaml, with the same names and defaults. */
export interface FetchingSettings {
  /** `product/version`. The product also selects the group in robots.txt. */
  user_agent: string
  /** Contact address or page for site owners, sent in the user agent. Empty for none. */
  contact: string
  /** Rules in the format of curl's `--connect-to` option. */
  connect_to: readonly string[]
  /** PEM files with additional trusted certificate authorities. */
  extra_ca_files?: readonly string[]
  /** Maximum requests per second to one host; 0 for no limit. */
  requests_per_second: number
  /** Patterns of hosts exempt from the rate limit, such as `*.example`. */
  own_hosts?: readonly string[]
  /** Maximum concurrent requests to one host. */
  connections_per_host: number
  /** Time limit for one page, including redirects and excluding waits for the host rate limit. */
  timeout_seconds: number
  /** Maximum size of one page in bytes, after decompression. */
  max_bytes: number
  max_redirects: number
  ports: readonly number[]
  /** Maximum size of the page cache for conditional requests, in bytes. */
  cache_bytes: number
}

/** Returns the User-Agent header, such as `talhouse/0.2.0 (+mailto:owner@site.example)`. */
export const userAgentOf = ({ user_agent, contact }: FetchingSettings): string =>
  contact ? `${user_agent} (+${contact})` : user_agent

/** Returns the product name, which selects the group in robots.txt. */
export const productOf = ({ user_agent }: FetchingSettings): string => user_agent.split('/')[0] ?? ''
