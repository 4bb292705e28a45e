import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { NAVIGATION } from '../navigation.ts'
import { Dialog } from './dialog.tsx'

/** `/` focuses the page's search field, `g` followed by a letter opens a page, and `?` lists the shortcuts. */
export function Shortcuts() {
  const { route } = useLocation()
  const [isHelp, setHelp] = useState(false)
  /** Whether the previous key was `g`. */
  const isAfterG = useRef(false)
  // The listener is registered before the page is painted, so that no key press is lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const page = isAfterG.current && shownPages().find(({ key }) => key === event.key)
      isAfterG.current = !page && event.key === 'g'
      if (page) route(page.href)
      else if (event.key === '?') setHelp(true)
      else if (event.key === '/') focusSearch(event)
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
        <dd>Show these shortcuts</dd>
      </dl>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={() => setHelp(false)}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('[data-search]')
  if (!search) return
  search.focus()
  search.select()
  event.preventDefault()
}

const shownPages = () => NAVIGATION.flatMap(({ pages }) => pages).filter(({ isShown }) => isShown())

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
