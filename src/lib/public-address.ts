import type { IPv6 } from 'ipaddr.js'
import ipaddr from 'ipaddr.js'

/**
 * Is this IP address on the public internet? Loopback, private, link-local (cloud metadata), shared (CGNAT), documentation,
 * multicast and reserved ranges are not, in whatever IPv6 form an IPv4 address may be wrapped. What does not parse is not.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.parse(address)
  return ip.kind() === 'ipv4' ? ip.range() === 'unicast' : isPublicIpv6(ip as IPv6)
}

/** RFC 6052: how an IPv6-only network reaches an IPv4 address. Public when that address is. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')
/** RFC 4291: all that is global unicast so far. Everything outside it is special, and new special ranges come there. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
/** RFC 9637: documentation; ipaddr.js does not know it. */
const DOCUMENTATION = ipaddr.parseCIDR('3fff::/20')

function isPublicIpv6(ip: IPv6): boolean {
  if (ip.zoneId) return false
  if (ip.isIPv4MappedAddress() || ip.match(NAT64)) {
    const ipv4 = ipaddr.fromByteArray(ip.toByteArray().slice(-4))
    return ipv4.range() === 'unicast'
  }
  return ip.match(GLOBAL_UNICAST) && !ip.match(DOCUMENTATION) && ip.range() === 'unicast' && !isIsatap(ip)
}

/** RFC 5214: an IPv4 address in the last 32 bits of any prefix, marked by 0:5efe or 200:5efe before it. */
const isIsatap = ({ parts }: IPv6): boolean => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
