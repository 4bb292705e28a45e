import { isIP } from 'node:net'
import type { App, AppDeps } from '../deps.ts'
import { HttpError } from '../problem.ts'

/**
 * Refuses requests without a Host header, with two Host headers, or with a name that is not allowed. Addresses and
 * localhost are always allowed, because DNS rebinding, with which a web page could read a local service, requires a
 * name.
 */
export function checkHost(app: App, { allowedHosts }: AppDeps): void {
  app.addHook('onRequest', async ({ raw: { httpVersion, rawHeaders }, headers: { host } }) => {
    const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
    if (count > 1) throw new HttpError('invalid_request', 'The request has more than one Host header.')
    if (httpVersion === '1.1' && host === undefined)
      throw new HttpError('invalid_request', 'HTTP/1.1 requires a Host header.')
    if (!allowedHosts || isAllowed(host, allowedHosts)) return
    throw new HttpError(
      'invalid_request',
      'The Host header names another service. The operator lists the names of this one in the setting http.allowed_hosts.',
    )
  })
}

/** A configured name such as `*.example.com` allows every name below example.com. */
function isAllowed(host: string | undefined, allowed: readonly string[]): boolean {
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host ?? '') ?? []
  if (address !== undefined) return isIP(address) === 6
  const given = name.toLowerCase().replace(/\.$/, '')
  if (isIP(given)) return true
  return ['localhost', '*.localhost', ...allowed].some((one) => {
    const pattern = one.toLowerCase()
    return pattern.startsWith('*.') ? given.endsWith(pattern.slice(1)) : given === pattern
  })
}
