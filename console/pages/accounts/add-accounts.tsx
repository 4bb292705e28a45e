import { useState } from 'preact/hooks'
import type { TalAdded } from '../../../src/contract/tal.ts'
import { plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Notice, toast } from '../../ui/feedback.tsx'
import { Outside } from '../../ui/text.tsx'
import { LIST } from './list.ts'

/** Adds domains, either pasted or dropped as a text file, with an optional tag. */
export function AddAccounts({ onAdded }: { onAdded: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button primary" onClick={() => setOpen(true)}>
        Add accounts
      </button>
      {isOpen && <Form onAdded={onAdded} onClose={() => setOpen(false)} />}
    </>
  )
}

const SHOWN_REJECTED = 20

function Form({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const [source, setSource] = useState('')
  const [result, setResult] = useState<TalAdded>()
  const domains = [...new Set(text.split(/[\s,;]+/).filter(Boolean))]

  const add = async () => {
    const body = { domains, ...(source.trim() && { source: source.trim() }) }
    const added = await request<TalAdded>('POST', LIST, { body })
    toast(`${plural(added.added.length, 'account')} added, ${added.already_present.length} already on the list.`)
    if (added.rejected.length === 0) onClose()
    else setResult(added)
  }

  if (result)
    return (
      <Dialog title="Add accounts" onClose={onClose}>
        <Notice tone="warn">
          <p class="strong">{plural(result.rejected.length, 'line was', 'lines were')} not added:</p>
          <ul>
            {result.rejected.slice(0, SHOWN_REJECTED).map(({ input, reason }) => (
              <li key={input}>
                <Outside max={80}>{input}</Outside>: <Outside>{reason}</Outside>
              </li>
            ))}
          </ul>
        </Notice>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    )
  return (
    <Confirm
      title="Add accounts"
      confirm={`Add ${plural(domains.length, 'account')}`}
      isReady={domains.length > 0}
      run={add}
      onClose={onClose}
      onDone={onAdded}
    >
      <div class="field">
        <label for="domains">Domains or web addresses, one per line</label>
        <textarea
          id="domains"
          class="input mono"
          rows={8}
          placeholder={'acme.com\nhttps://www.birch.example/about'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const file = event.dataTransfer?.files[0]
            if (!file) return
            event.preventDefault()
            void file.text().then(setText)
          }}
        />
      </div>
      <div class="field">
        <label for="source">Tag (optional)</label>
        <input
          id="source"
          class="input"
          maxLength={100}
          placeholder="prospects"
          value={source}
          onInput={(event) => setSource(event.currentTarget.value)}
        />
      </div>
      <p class="muted">Adding is free. Nightly runs enrich new accounts within the budget.</p>
    </Confirm>
  )
}
