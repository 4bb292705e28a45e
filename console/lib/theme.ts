import { effect, signal } from '@preact/signals'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const STORED = 'talhouse.theme'

const stored = localStorage.getItem(STORED) as Theme | null

/** The selected color scheme; `system` follows the operating system. */
export const theme = signal<Theme>(stored !== null && THEMES.includes(stored) ? stored : 'system')

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme.value
  localStorage.setItem(STORED, theme.value)
})

export function cycleTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] as Theme
}
