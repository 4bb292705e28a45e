import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { NAVIGATION } from '../navigation.ts'
import { Dialog } from './dialog.tsx'

const CHORD_MS = 1_500

/** `/` focuses the page's search field, `g` and a letter opens a page, `?` lists the shortcuts. */
export function Shortcuts() {
  const { route } = useLocation()
  const [isHelp, setHelp] = useState(false)
  const chordUntil = useRef(0)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') return setHelp(true)
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('[data-search]')
        search?.focus()
        search?.select()
        if (search) event.preventDefault()
        return
      }
      if (performance.now() < chordUntil.current) {
        chordUntil.current = 0
        const page = shownPages().find(({ key }) => key === event.key)
        if (page) route(page.href)
      } else if (event.key === 'g') chordUntil.current = performance.now() + CHORD_MS
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [route])
  if (!isHelp) return null
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => setHelp(false)}>
      <dl class="facts">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search on this page</dd>
        {shownPages().map(({ key, name }) => [
          <dt key={`${key}-key`}>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>,
          <dd key={key}>{name}</dd>,
        ])}
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>These shortcuts</dd>
      </dl>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => setHelp(false)}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

const shownPages = () => NAVIGATION.flatMap(({ pages }) => pages).filter(({ isShown }) => isShown())

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
