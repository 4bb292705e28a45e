import { useState } from 'preact/hooks'
import { formatDateTime, formatExact, formatNumber, formatRelative, printable, webAddress } from '../lib/format.ts'

const MAX_LENGTH = 300

/** External text with its direction isolated and its control characters removed; long text is truncated. */
export function Outside({ children, max = MAX_LENGTH }: { children: string | null | undefined; max?: number }) {
  const [isWhole, setWhole] = useState(false)
  if (children === null || children === undefined || children === '') return <span class="faint">–</span>
  const text = printable(children)
  if (text.length <= max || isWhole) return <bdi class="outside">{text}</bdi>
  return (
    <>
      <bdi class="outside">{text.slice(0, max)}…</bdi>{' '}
      <button type="button" class="button quiet small" onClick={() => setWhole(true)}>
        Show all {formatNumber(text.length)} characters
      </button>
    </>
  )
}

/** A link to another site; plain text if the address is not a web address. */
export function OutsideLink({ url, children }: { url: string | null | undefined; children?: string }) {
  const address = webAddress(url)
  const text = children ?? url?.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  if (!address) return <Outside max={80}>{text}</Outside>
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      <Outside max={80}>{text}</Outside>
    </a>
  )
}

/** A relative time, with the absolute time as its tooltip. */
export function Time({ iso, absolute = false }: { iso: string | null | undefined; absolute?: boolean }) {
  if (!iso) return <span class="faint">–</span>
  return (
    <time dateTime={iso} title={formatExact(iso)} class="nowrap">
      {absolute ? formatDateTime(iso) : formatRelative(iso)}
    </time>
  )
}

/** Copies a text. `label` describes the button to screen readers. */
export function Copy({ text, label, children = 'Copy' }: { text: string; label: string; children?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button type="button" class="button quiet small no-print" aria-label={label} onClick={() => void copy()}>
      {isCopied ? 'Copied' : children}
    </button>
  )
}
