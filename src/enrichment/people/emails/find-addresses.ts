import { getDomain } from 'tldts'

/**
 * Returns the distinct email addresses in a text, in lower case. Includes obfuscated addresses (`jane [at] acme [dot]
 * example`).
 */
export function findAddresses(text: string): string[] {
  // Repetitions are bounded to avoid quadratic matching time on pages with one very long word.
  const plain = text
    .replace(/\s{20,}/g, '\n')
    .replace(/\s*(?:\[|\(|\{|<)\s*(?:at|@|ät|arroba|chez)\s*(?:\]|\)|\}|>)\s*/gi, '@')
    .replace(/\s*(?:\[|\(|\{|<)\s*(?:dot|punkt|point|punto|\.)\s*(?:\]|\)|\}|>)\s*/gi, '.')
    // A spelled-out "at" is replaced only if it is in capitals or is followed by a spelled-out "dot", because "see us
    // at acme.example" is not an address.
    .replace(/(?<=[\w.-]) +(?:AT|at) +(?=[\w-]+(?: +(?:DOT|dot) +[\w-]+)*(?: +(?:DOT|dot) +)[a-z]{2,})/g, '@')
    .replace(/(?<=[\w.-]) +AT +(?=[\w-]+\.[a-z]{2,})/g, '@')
    .replace(/(?<=@[\w.-]{1,253}) +(?:DOT|dot) +(?=[a-z]{2,})/g, '.')
    .replace(/&#0*64;|&commat;|%40|＠/gi, '@')
    .replace(/\s*@\s*(?=[\w-]+(\.[\w-]+)*\.[a-z]{2,})/gi, '@')
  const found = plain.match(/[a-z0-9][\w.+'-]{0,63}@[a-z0-9][a-z0-9.-]*\.[a-z]{2,}/gi) ?? []
  return [...new Set(found.map((address) => address.toLowerCase().replace(/[.'-]+$/, '')))].filter(
    (address) =>
      getDomain(address.split('@')[1] as string, { validHosts: [] }) !== null &&
      !/\.(png|jpe?g|gif|webp|svg|css|js)$/.test(address),
  )
}

/** Returns the address in a `mailto:` link; undefined for other links. */
export function mailtoAddress(href: string): string | undefined {
  if (!/^\s*mailto:/i.test(href)) return undefined
  const target = href.replace(/^\s*mailto:/i, '').replace(/\?.*$/s, '')
  return findAddresses(safeDecode(target))[0]
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Decodes Cloudflare's `data-cfemail` attribute, whose first byte is the XOR key for the other bytes. */
export function decodeCloudflare(hex: string): string | undefined {
  if (!/^([0-9a-f]{2}){6,}$/i.test(hex)) return undefined
  const bytes = Buffer.from(hex, 'hex')
  return findAddresses(
    [...bytes.subarray(1)].map((byte) => String.fromCharCode(byte ^ (bytes[0] as number))).join(''),
  )[0]
}
