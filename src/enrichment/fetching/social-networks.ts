import { getDomain } from 'tldts'

/** Networks whose pages hold people's profiles behind terms that forbid reading by programs. They are never requested. */
const NETWORKS = new Set([
  'linkedin.com',
  'lnkd.in',
  'facebook.com',
  'fb.com',
  'instagram.com',
  'twitter.com',
  'x.com',
  't.co',
  'youtube.com',
  'youtu.be',
  'tiktok.com',
  'threads.net',
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

/** May this address never be fetched, because it is a social network's? */
export const isSocialNetwork = (url: string): boolean => NETWORKS.has(getDomain(url) ?? '')
