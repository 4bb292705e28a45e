import { useRef, useState } from 'preact/hooks'
import { Outside } from '../../ui/text.tsx'

/** Accepts a file by drag and drop, or from the file dialog. */
export function DropZone({ onFile, fileName }: { onFile: (file: File) => void; fileName: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer?.files[0]
    if (file) onFile(file)
  }
  return (
    <section
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      aria-label="File"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>{fileName === undefined ? 'Drop a CSV file here' : <Outside max={80}>{fileName}</Outside>}</p>
      <input
        ref={input}
        class="sr-only"
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV file"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file)
          currentTarget.value = ''
        }}
      />
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Choose a file
      </button>
      <p class="muted">The first row must contain the column names. Columns with domains or names are recognized.</p>
    </section>
  )
}
