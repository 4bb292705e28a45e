import { parse } from 'tldts'
import { SOCIAL_NETWORKS } from '../lib/social-networks.ts'

/** Hosts of other platforms, such as blogs and podcasts, whose pages some firms file as their website. */
const PROFILE_HOSTS = new Set(
  `vimeo.com medium.com yelp.com google.com goo.gl wechat.com qq.com soundcloud.com spotify.com apple.com tumblr.com flickr.com bsky.app linktr.ee stocktwits.com meetup.com nextdoor.com alignable.com buzzsprout.com podbean.com whatsapp.com t.me telegram.me discord.gg discord.com substack.com blogspot.com slideshare.net periscope.tv amazon.com`.split(
    ' ',
  ),
)

export interface WebAddresses {
  /** The first address that is not a platform profile, with scheme and host in lower case. */
  website: string | null
  /** Registrable domain of the website. */
  website_domain: string | null
  /** The first profile on a social network or another platform. */
  social_url: string | null
}

/** Separates websites from platform profiles. Filed addresses may lack a scheme. Invalid addresses are skipped. */
export function readWebAddresses(filed: readonly string[]): WebAddresses {
  const found: WebAddresses = { website: null, website_domain: null, social_url: null }
  for (const address of filed) {
    const url = toUrl(address)
    if (!url) continue
    const { domain, isIcann, isPrivate } = parse(url.hostname, { allowPrivateDomains: true, validateHostname: true })
    const { domain: site } = parse(url.hostname)
    if (!domain || !site || !(isIcann || isPrivate || site.endsWith('.example'))) continue
    if (SOCIAL_NETWORKS.has(site) || PROFILE_HOSTS.has(site)) found.social_url ??= spell(url)
    else if (!found.website) {
      found.website = spell(url)
      found.website_domain = domain
    }
  }
  return found
}

/**
 * Parses an address. Converts the path of an all-uppercase address to lower case, because profile paths are
 * case-insensitive.
 */
function toUrl(address: string): URL | undefined {
  const text = address
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(https?):?\/*/i, '$1://')
  if (text === '' || /\s/.test(text)) return undefined
  const withScheme = /^https?:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined
  if (!url?.hostname.includes('.') || url.username || /^[\d.]+$/.test(url.hostname)) return undefined
  if (withScheme === withScheme.toUpperCase()) url.pathname = url.pathname.toLowerCase()
  return url
}

const spell = (url: URL) => (url.pathname === '/' && !url.search && !url.hash ? url.origin : url.href)
