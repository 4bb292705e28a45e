import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Resource } from '../lib/use-resource.ts'
import { Failure, Skeleton } from './feedback.tsx'

interface PageProps {
  title: ComponentChildren
  /** Title of the browser tab. */
  name: string
  lead?: ComponentChildren
  crumbs?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A page with its title, lead sentence, actions and content. */
export function Page({ title, name, lead, crumbs, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${name} · talhouse`
  }, [name])
  return (
    <>
      <header class="page-head">
        <div>
          {crumbs && (
            <nav class="crumbs no-print" aria-label="Breadcrumb">
              {crumbs}
            </nav>
          )}
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div class="row wrap no-print">{actions}</div>}
      </header>
      <div class="stack">{children}</div>
    </>
  )
}

export function Card({
  title,
  aside,
  flush = false,
  children,
}: {
  title?: ComponentChildren
  aside?: ComponentChildren
  /** Whether to omit the padding, for tables. */
  flush?: boolean
  children: ComponentChildren
}) {
  return (
    <section class="card">
      {title && (
        <div class="card-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      <div class={flush ? '' : 'card-body'}>{children}</div>
    </section>
  )
}

/** Shows a response when it is available, a skeleton until then, or the error. */
export function Loaded<Reply>({
  resource,
  lines = 6,
  children,
}: {
  resource: Resource<Reply>
  lines?: number
  children: (reply: Reply) => ComponentChildren
}) {
  const { data, error, reload } = resource
  if (error) return <Failure error={error} onRetry={reload} />
  if (data === undefined) return <Skeleton lines={lines} />
  return <>{children(data)}</>
}
