import { isIPv4, isIPv6 } from 'node:net'
import { hostMatches } from '../../lib/connect-to.ts'
import type { App, AppDeps } from '../deps.ts'
import { HttpError } from '../problem.ts'

/**
 * Rejects requests without a Host header, with two Host headers, or with a hostname that is not allowed. IP addresses
 * and localhost are always allowed. The check prevents DNS rebinding, in which a web page accesses a local service
 * through a hostname.
 */
export function checkHost(app: App, { allowedHosts }: AppDeps): void {
  const isAllowed = allowedHosts && hostTest(allowedHosts)
  app.addHook('onRequest', async ({ raw: { httpVersion, rawHeaders }, headers: { host } }) => {
    const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
    if (count > 1) throw new HttpError('invalid_request', 'The request has more than one Host header.')
    if (httpVersion === '1.1' && host === undefined)
      throw new HttpError('invalid_request', 'HTTP/1.1 requires a Host header.')
    if (!isAllowed || isAllowed(host)) return
    throw new HttpError(
      'invalid_request',
      'The Host header does not name this service. The operator can allow a hostname in the setting http.allowed_hosts.',
    )
  })
}

/**
 * Returns a function that tests Host headers. A configured name such as `*.example.com` allows every name below
 * example.com.
 */
function hostTest(allowedHosts: readonly string[]): (host: string | undefined) => boolean {
  const patterns = ['localhost', '*.localhost', ...allowedHosts.map((name) => name.toLowerCase())]
  return (host = '') => {
    const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? []
    if (address !== undefined) return isIPv6(address)
    const given = name.toLowerCase().replace(/\.$/, '')
    return isIPv4(given) || patterns.some((pattern) => hostMatches(pattern, given))
  }
}
