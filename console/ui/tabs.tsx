import type { ComponentChildren } from 'preact'
import { withQuery } from '../lib/http.ts'

interface TabsProps {
  /** Name of the navigation for screen readers. */
  label: string
  /** Path of the page; each link adds its tab as a query parameter. */
  path: string
  tabs: readonly { value: string; label: ComponentChildren }[]
  current: string | undefined
}

/** Links to the tabs of a page. The tab is part of the URL; the first tab has an empty value. */
export const Tabs = ({ label: name, path, tabs, current }: TabsProps) => (
  <nav class="tabs no-print" aria-label={name}>
    {tabs.map(({ value, label }) => (
      <a key={value} href={withQuery(path, { tab: value })} aria-current={current === value ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
)
