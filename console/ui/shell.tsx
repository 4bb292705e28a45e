import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { identity, signOut } from '../lib/session.ts'
import { cycleTheme, theme } from '../lib/theme.ts'
import { NAVIGATION } from '../navigation.ts'
import { Toasts } from './feedback.tsx'
import { Icon } from './icons.tsx'
import { Shortcuts } from './shortcuts.tsx'

/** The navigation, the page, and the elements above them. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { path } = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    setOpen(false)
    window.scrollTo(0, 0)
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class={isOpen ? 'side open' : 'side'}>
        <a class="brand" href="/console">
          <Mark /> talhouse
        </a>
        <button
          type="button"
          class="button quiet menu-button"
          aria-label="Menu"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
        </button>
        <nav class="nav" aria-label="Pages">
          {NAVIGATION.map(({ title, pages }) => {
            const shown = pages.filter((page) => page.isShown())
            return (
              shown.length > 0 && (
                <div key={title}>
                  <div class="nav-title">{title}</div>
                  <ul>
                    {shown.map(({ name, href, icon, covers }) => (
                      <li key={href}>
                        <a href={href} aria-current={isCurrent(path, href, covers) ? 'page' : undefined}>
                          <Icon name={icon} /> {name}
                        </a>
                      </li>
                    ))}
                  </ul>
                </div>
              )
            )
          })}
        </nav>
        <Account />
      </header>
      <main class="content" id="content" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <Shortcuts />
    </div>
  )
}

const isCurrent = (path: string, href: string, covers: readonly string[] = []): boolean =>
  href === '/console'
    ? path === '/console' || path === '/console/'
    : [href, ...covers].some((prefix) => path === prefix || path.startsWith(`${prefix}/`))

function Account() {
  const client_id = identity.value?.client_id ?? ''
  const scopes = identity.value?.scopes ?? []
  return (
    <div class="side-foot">
      <div class="truncate" title={`Client ${client_id}, scopes: ${scopes.join(', ')}`}>
        {client_id} · {scopes.includes('admin') ? 'operator' : scopes.includes('enrich') ? 'may spend' : 'read only'}
      </div>
      <div class="row wrap">
        <button type="button" class="button quiet small" onClick={cycleTheme}>
          Theme: {theme.value}
        </button>
        <button type="button" class="button quiet small" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </div>
  )
}

export const Mark = () => (
  <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#3d5bd9" />
    <path d="M8 13.5 16 8l8 5.5V24H8z" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round" />
    <path d="M12.5 24v-6m3.5 6v-9m3.5 9v-4" stroke="#fff" stroke-width="2.2" stroke-linecap="round" />
  </svg>
)
