import { AppError } from './errors.ts'

/** "What is addressed to such a host (and port) goes to this address": curl's `--connect-to`, with `*` in the host. */
export interface ConnectTo {
  /** Host name, lower case; a leading `*.` stands for any number of labels, and `*` for every host. */
  host: string
  /** Null: every port. */
  port: number | null
  target: { address: string; port: number }
}

const SHAPE = /^(?<host>[^:\s]*):(?<port>\d*):(?<address>\[[0-9a-f:.]+\]|[^:\s[\]]+):(?<targetPort>\d+)$/i

/**
 * Reads rules in curl's form `HOST:PORT:ADDRESS:PORT`, such as `*.example::127.0.0.1:8099`. An empty host or port stands for any.
 * Throws `configuration` with the rule that does not fit.
 */
export function parseConnectTo(rules: readonly string[]): ConnectTo[] {
  return rules.map((rule) => {
    const { host, port, address, targetPort } = SHAPE.exec(rule.trim())?.groups ?? {}
    if (host === undefined || address === undefined || Number(port) > 65_535 || Number(targetPort) > 65_535)
      throw new AppError(
        'configuration',
        `"${rule}" does not say where to connect: write HOST:PORT:ADDRESS:PORT, such as *.example::127.0.0.1:8099`,
      )
    return {
      host: host.toLowerCase() || '*',
      port: port ? Number(port) : null,
      target: { address: address.replace(/^\[|\]$/g, ''), port: Number(targetPort) },
    }
  })
}

/** Where a connection to this host and port is sent instead; the first rule that fits decides. */
export function connectTarget(
  rules: readonly ConnectTo[],
  hostname: string,
  port: number,
): ConnectTo['target'] | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return rules.find((rule) => (rule.port === null || rule.port === port) && hostMatches(rule.host, name))?.target
}

/** Does a host fit a pattern: itself, `*.` before any number of labels, or `*`? */
export const hostMatches = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.startsWith('*.') && name.endsWith(pattern.slice(1)))
