/** How pages are fetched. Names and defaults are those of the section `fetching` in config/talhouse.yaml. */
export interface FetchingSettings {
  /** `product/version`; the product is also the name that robots.txt rules are read for. */
  user_agent: string
  /** An address or page for site owners, told in the user agent. Empty: none. */
  contact: string
  /** Rules in curl's `--connect-to` form. */
  connect_to: readonly string[]
  /** PEM files of authorities that are trusted beside the usual ones. */
  extra_ca_files?: readonly string[]
  /** Requests a second to one host. 0: no limit. */
  requests_per_second: number
  /** Hosts of one's own, as in the rules of connect_to: `*.example`. They are asked as fast as they answer. */
  own_hosts?: readonly string[]
  /** Requests to one host at the same time. */
  connections_per_host: number
  /** Seconds for one page with its redirects; waiting for the host's turn is not counted. */
  timeout_seconds: number
  /** Bytes of one page, unpacked. */
  max_bytes: number
  max_redirects: number
  ports: readonly number[]
  /** Bytes of pages kept for conditional requests. */
  cache_bytes: number
}

/** `talhouse/0.1.0 (+mailto:owner@site.example)`. */
export const userAgentOf = ({ user_agent, contact }: FetchingSettings): string =>
  contact ? `${user_agent} (+${contact})` : user_agent

/** The name that robots.txt rules are read for. */
export const productOf = ({ user_agent }: FetchingSettings): string => user_agent.split('/')[0] ?? ''
