import { AppError } from './errors.ts'

/**
 * A rule that redirects connections for a host and port to another address, like curl's `--connect-to`. The host may
 * contain `*`.
 */
export interface ConnectTo {
  /** Lower-case hostname. A leading `*.` matches any number of labels, and `*` matches every host. */
  host: string
  /** The port to match; null matches every port. */
  port: number | null
  target: { address: string; port: number }
}

const SHAPE = /^(?<host>[^:\s]*):(?<port>\d*):(?<address>\[[0-9a-f:.]+\]|[^:\s[\]]+):(?<targetPort>\d+)$/i

/**
 * Parses rules in curl's format `HOST:PORT:ADDRESS:PORT`, such as `*.example::127.0.0.1:8099`. An empty host or port
 * matches any. Throws `configuration` for an invalid rule.
 */
export function parseConnectTo(rules: readonly string[]): ConnectTo[] {
  return rules.map((rule) => {
    const { host, port, address, targetPort } = SHAPE.exec(rule.trim())?.groups ?? {}
    if (host === undefined || address === undefined || Number(port) > 65_535 || Number(targetPort) > 65_535)
      throw new AppError(
        'configuration',
        `Invalid rule "${rule}": use HOST:PORT:ADDRESS:PORT, such as *.example::127.0.0.1:8099`,
      )
    return {
      host: host.toLowerCase() || '*',
      port: port ? Number(port) : null,
      target: { address: address.replace(/^\[|\]$/g, ''), port: Number(targetPort) },
    }
  })
}

/** Returns the target of the first rule that matches a host and port; undefined if no rule matches. */
export function connectTarget(
  rules: readonly ConnectTo[],
  hostname: string,
  port: number,
): ConnectTo['target'] | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return rules.find((rule) => (rule.port === null || rule.port === port) && hostMatches(rule.host, name))?.target
}

/** Reports whether a host matches a pattern: an exact name, `*.` with a suffix, or `*`. */
export const hostMatches = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.startsWith('*.') && name.endsWith(pattern.slice(1)))
