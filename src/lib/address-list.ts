import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AppError } from './errors.ts'

/** Tests whether a list of addresses and networks contains an address. */
export type AddressList = (address: string) => boolean

/**
 * Parses addresses and networks, such as 127.0.0.1, 10.0.0.0/8 and ::1. Throws `configuration` if an entry is invalid.
 * The message names the setting.
 */
export function parseAddressList(setting: string, entries: readonly string[]): AddressList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const bits = prefix === undefined ? undefined : Number(prefix)
    const isValid = isIP(address) > 0 && rest.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix))
    if (!isValid || (bits !== undefined && bits > (family === 'ipv6' ? 128 : 32)))
      throw new AppError('configuration', `${setting}: "${entry}" is not an address or network such as 10.0.0.0/8.`)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, bits, family)
  }
  return (address) => isIP(address) > 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * Returns the network that is assumed to belong to one party: the IPv4 address itself, or the /64 of an IPv6 address.
 * Returns other text unchanged.
 */
export function networkOf(address: string): string {
  if (!isIP(address)) return address
  const ip = ipaddr.process(address)
  return ip instanceof ipaddr.IPv6 ? `${ip.toNormalizedString().split(':').slice(0, 4).join(':')}::/64` : ip.toString()
}
