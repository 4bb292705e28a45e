import { useEffect, useState } from 'preact/hooks'

const DELAY_MS = 250

/** A search field that reports its text after a pause in typing. `/` focuses it. */
export function Search({ value, label, onSearch }: { value: string; label: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onSearch(text.trim()), DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      type="search"
      class="input search"
      data-search
      aria-label={label}
      placeholder={`${label} (press /)`}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  )
}
