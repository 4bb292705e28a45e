import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WarehouseDictionary } from '../../../src/contract/warehouse-query.ts'
import type { Completion } from './completions.ts'
import { completionsFor } from './completions.ts'
import { tokensOf } from './tokens.ts'

interface EditorProps {
  value: string
  onInput: (text: string) => void
  onRun: () => void
  dictionary: WarehouseDictionary | undefined
}

interface Open {
  options: readonly Completion[]
  /** Start offset of the word being completed. */
  from: number
  caret: number
  chosen: number
}

/**
 * An SQL textarea laid over a highlighted copy of its text. The list of completions opens as the user types, or with
 * Ctrl+Space. Tab leaves the editor unless the list is open. Ctrl+Enter runs the query.
 */
export function Editor({ value, onInput, onRun, dictionary }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [open, setOpen] = useState<Open>()
  const suggest = (isExplicit: boolean) => {
    const element = area.current
    if (!element || !dictionary) return
    const caret = element.selectionStart
    const found = completionsFor(dictionary, element.value, caret, isExplicit)
    setOpen(found && found.options.length > 0 ? { ...found, caret, chosen: 0 } : undefined)
  }
  const accept = (index: number) => {
    const element = area.current
    const text = open?.options[index]?.text
    if (!element || !open || text === undefined) return
    element.setRangeText(text, open.from, element.selectionStart, 'end')
    element.focus()
    setOpen(undefined)
    onInput(element.value)
  }
  const press = (event: KeyboardEvent) => {
    const isChord = event.ctrlKey || event.metaKey
    if (isChord && event.key === 'Enter') onRun()
    else if (isChord && event.key === ' ') suggest(true)
    else if (!open) return
    else if (event.key === 'Escape') setOpen(undefined)
    else if (event.key === 'Enter' || event.key === 'Tab') accept(open.chosen)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      setOpen({ ...open, chosen: (open.chosen + step + open.options.length) % open.options.length })
    } else return
    event.preventDefault()
  }
  return (
    <div class="sql-editor">
      <pre class="sql-text" aria-hidden="true">
        {tokensOf(value).map(({ kind, text }, index) =>
          kind ? (
            <span key={index} class={`sql-${kind}`}>
              {text}
            </span>
          ) : (
            text
          ),
        )}
        {'\n'}
      </pre>
      <textarea
        ref={area}
        class="sql-text"
        aria-label="SQL"
        aria-autocomplete="list"
        aria-controls={open && 'sql-completions'}
        aria-activedescendant={open && `sql-completion-${open.chosen}`}
        data-search
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        value={value}
        onInput={(event) => {
          onInput(event.currentTarget.value)
          suggest(false)
        }}
        onKeyDown={press}
        onClick={() => setOpen(undefined)}
        onBlur={() => setOpen(undefined)}
      />
      {open && <Completions open={open} before={value.slice(0, open.from)} onAccept={accept} />}
    </div>
  )
}

/** The list of completions, positioned at the start of the word being completed. */
function Completions({ open, before, onAccept }: { open: Open; before: string; onAccept: (index: number) => void }) {
  const mark = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!mark.current || !list.current) return
    list.current.style.left = `${mark.current.offsetLeft}px`
    list.current.style.top = `${mark.current.offsetTop + mark.current.offsetHeight + 2}px`
    list.current.children[open.chosen]?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <>
      <pre class="sql-text sql-measure" aria-hidden="true">
        {before}
        <span ref={mark}>.</span>
      </pre>
      <div class="sql-completions" id="sql-completions" role="listbox" aria-label="Completions" ref={list}>
        {open.options.map(({ text, detail }, index) => (
          // The textarea keeps the focus and handles the keys.
          <div
            key={text}
            id={`sql-completion-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === open.chosen}
            onMouseDown={(event) => {
              event.preventDefault()
              onAccept(index)
            }}
          >
            <code>{text}</code> <span class="faint">{detail}</span>
          </div>
        ))}
      </div>
    </>
  )
}
