import type { IPv6 } from 'ipaddr.js'
import ipaddr from 'ipaddr.js'

/**
 * Reports whether an IP address is on the public internet. Returns false for invalid addresses and for loopback,
 * private, link-local (cloud metadata), shared (CGNAT), documentation, multicast and reserved ranges, including IPv4
 * addresses embedded in IPv6 addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.parse(address)
  return ip.kind() === 'ipv4' ? ip.range() === 'unicast' : isPublicIpv6(ip as IPv6)
}

/** NAT64 range (RFC 6052). An address in this range is public if the embedded IPv4 address is public. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')
/** The global unicast range allocated so far (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
/** Documentation range (RFC 9637), which ipaddr.js does not include. */
const DOCUMENTATION = ipaddr.parseCIDR('3fff::/20')

function isPublicIpv6(ip: IPv6): boolean {
  if (ip.zoneId) return false
  if (ip.isIPv4MappedAddress() || ip.match(NAT64)) {
    const ipv4 = ipaddr.fromByteArray(ip.toByteArray().slice(-4))
    return ipv4.range() === 'unicast'
  }
  return ip.match(GLOBAL_UNICAST) && !ip.match(DOCUMENTATION) && ip.range() === 'unicast' && !isIsatap(ip)
}

/** Reports whether the last 32 bits are an IPv4 address preceded by 0:5efe or 200:5efe (ISATAP, RFC 5214). */
const isIsatap = ({ parts }: IPv6): boolean => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
