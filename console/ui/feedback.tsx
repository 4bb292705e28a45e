import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { RequestError } from '../lib/http.ts'
import { Copy } from './text.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'live' | 'idle'

export const Badge = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

export function Notice({
  tone,
  children,
  actions,
}: {
  tone?: Tone
  children: ComponentChildren
  actions?: ComponentChildren
}) {
  return (
    <div class={`notice ${tone ?? ''}`}>
      <div>{children}</div>
      {actions}
    </div>
  )
}

/** An error message with its solution and the request ID. */
export function Failure({ error, onRetry }: { error: RequestError; onRetry?: () => void }) {
  return (
    <div role="alert">
      <Notice
        tone="bad"
        actions={
          onRetry && (
            <button type="button" class="button" onClick={onRetry}>
              Try again
            </button>
          )
        }
      >
        <p class="strong outside">{error.message}</p>
        {error.requestId && (
          <p class="muted">
            Request ID <code>{error.requestId}</code> <Copy text={error.requestId} label="Copy the request ID" />
          </p>
        )}
      </Notice>
    </div>
  )
}

/** Explains why a page is empty, and the next step. */
export const Empty = ({
  title,
  children,
  action,
  link,
}: {
  title: string
  children?: ComponentChildren
  action?: ComponentChildren
  /** Link to another page. */
  link?: { name: string; href: string }
}) => (
  <div class="empty">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {action}
    {link && (
      <a class="button" href={link.href}>
        {link.name}
      </a>
    )}
  </div>
)

/** Reserves space for `lines` lines while they load. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div class="stack-small" aria-busy="true">
    <span class="sr-only">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} class="skeleton" style={{ width: `${90 - ((line * 23) % 45)}%` }} />
    ))}
  </div>
)

interface Toast {
  id: number
  text: string
  action?: { label: string; run: () => void }
}
const toasts = signal<Toast[]>([])
let nextToast = 1
const TOAST_MS = 10_000

/** Shows a message for ten seconds, optionally with an action such as Undo. */
export function toast(text: string, action?: Toast['action']): void {
  const id = nextToast++
  toasts.value = [...toasts.value, { id, text, ...(action && { action }) }]
  setTimeout(() => dismiss(id), TOAST_MS)
}

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {toasts.value.map(({ id, text, action }) => (
      <div class="toast" key={id}>
        <span class="outside">{text}</span>
        {action && (
          <button
            type="button"
            class="button small"
            onClick={() => {
              dismiss(id)
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
        <button type="button" class="button quiet small" aria-label="Dismiss" onClick={() => dismiss(id)}>
          ×
        </button>
      </div>
    ))}
  </div>
)
