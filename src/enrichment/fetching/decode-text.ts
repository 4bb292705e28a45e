import { isUtf8 } from 'node:buffer'
import { getEncoding } from 'encoding-sniffer'
import type { PageBytes } from './fetched.ts'

/**
 * Decodes a page with the encoding indicated by its byte order mark, the server's charset or its `<meta>` tag. A page
 * that declares no encoding is decoded as UTF-8 if it is valid UTF-8, otherwise as windows-1252. A page that declares
 * UTF-8 is decoded as windows-1252 if most of its non-ASCII characters are invalid.
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
  // A minority of invalid bytes indicates damaged UTF-8. A majority indicates that the page is actually windows-1252.
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
