import { may, mayQueryWarehouse, mayReadWarehouse } from './lib/session.ts'
import type { IconName } from './ui/icons.tsx'

interface NavigationPage {
  name: string
  href: string
  icon: IconName
  /** The key to press after `g`. */
  key: string
  /** Additional paths at which this page opens. */
  covers?: readonly string[]
  /** Whether the key's scopes allow access to the page. */
  isShown: () => boolean
}

/** The pages, in navigation order. */
export const NAVIGATION: readonly { title: string; pages: readonly NavigationPage[] }[] = [
  {
    title: 'Monitor',
    pages: [
      { name: 'Overview', href: '/console', icon: 'overview', key: 'o', isShown: () => true },
      { name: 'Runs', href: '/console/runs', icon: 'runs', key: 'r', isShown: mayReadWarehouse },
      {
        name: 'Trust',
        href: '/console/trust',
        icon: 'trust',
        key: 'v',
        isShown: () => mayReadWarehouse() || may('admin'),
      },
    ],
  },
  {
    title: 'Data',
    pages: [
      {
        name: 'Target accounts',
        href: '/console/accounts',
        icon: 'accounts',
        key: 'a',
        covers: ['/console/companies'],
        isShown: () => may('lists'),
      },
      {
        name: 'Personnel changes',
        href: '/console/personnel',
        icon: 'personnel',
        key: 'p',
        isShown: mayQueryWarehouse,
      },
      { name: 'Firms', href: '/console/firms', icon: 'firms', key: 'f', isShown: () => may('read') },
      { name: 'SQL', href: '/console/sql', icon: 'sql', key: 'q', isShown: mayQueryWarehouse },
    ],
  },
  {
    title: 'Account',
    pages: [
      {
        name: 'Tasks',
        href: '/console/tasks',
        icon: 'tasks',
        key: 't',
        covers: ['/console/quotes'],
        isShown: () => may('read'),
      },
      { name: 'Spending', href: '/console/spending', icon: 'spending', key: 's', isShown: () => may('read') },
      {
        name: 'Webhooks',
        href: '/console/webhooks',
        icon: 'webhooks',
        key: 'w',
        isShown: () => may('webhooks'),
      },
      { name: 'Keys and sessions', href: '/console/keys', icon: 'keys', key: 'k', isShown: () => true },
      {
        name: 'Settings',
        href: '/console/settings',
        icon: 'settings',
        key: 'e',
        isShown: () => may('admin') || may('clients'),
      },
      { name: 'Reference', href: '/console/reference', icon: 'reference', key: 'i', isShown: () => true },
    ],
  },
]
