import { isUtf8 } from 'node:buffer'
import { getEncoding } from 'encoding-sniffer'
import type { PageBytes } from './fetched.ts'

/**
 * A page's bytes as text: by byte order mark, by the server's charset, by `<meta>`, and where nothing is declared as UTF-8 if it
 * is that, else windows-1252. A page that says UTF-8 and mostly is not is read as windows-1252.
 */
export function decodeText({ body, charset }: Pick<PageBytes, 'body' | 'charset'>): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const guess = isUtf8(bytes) ? 'utf-8' : 'windows-1252'
  const encoding = getEncoding(bytes, {
    defaultEncoding: guess,
    ...(charset && { transportLayerEncodingLabel: charset }),
  })
  const text = decoderFor(encoding).decode(bytes)
  if (encoding.toLowerCase() !== 'utf-8' || guess === 'utf-8') return text
  const broken = text.split('\ufffd').length - 1
  // Two broken bytes in a Russian page are an accident; in a page without other accents they are its accents.
  const fine = text.replace(/\p{ASCII}+/gu, '').length - broken
  return broken > fine ? new TextDecoder('windows-1252').decode(bytes) : text
}

function decoderFor(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
