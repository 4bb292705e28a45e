import { getDomain } from 'tldts'

/** Registrable domains of social networks and directories whose terms forbid automated access. */
export const SOCIAL_NETWORKS: ReadonlySet<string> = new Set([
  'linkedin.com',
  'lnkd.in',
  'facebook.com',
  'fb.com',
  'fb.me',
  'instagram.com',
  'twitter.com',
  'x.com',
  't.co',
  'youtube.com',
  'youtu.be',
  'tiktok.com',
  'threads.net',
  'threads.com',
  'pinterest.com',
  'snapchat.com',
  'reddit.com',
  'xing.com',
  'vk.com',
  'weibo.com',
  'glassdoor.com',
  'crunchbase.com',
  'wellfound.com',
  'angel.co',
])

/** Reports whether a URL belongs to a social network. Such URLs must never be fetched. */
export const isSocialNetwork = (url: string): boolean => SOCIAL_NETWORKS.has(getDomain(url) ?? '')
