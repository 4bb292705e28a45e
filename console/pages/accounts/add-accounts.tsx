import { useState } from 'preact/hooks'
import type { TalAdded } from '../../../src/contract/tal.ts'
import { plural } from '../../lib/format.ts'
import { RequestError, request } from '../../lib/http.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure, Notice, toast } from '../../ui/feedback.tsx'
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
  const [error, setError] = useState<RequestError>()
  const domains = [...new Set(text.split(/[\s,;]+/).filter(Boolean))]

  const add = async () => {
    setError(undefined)
    try {
      const body = { domains, ...(source.trim() && { source: source.trim() }) }
      const reply = await request<TalAdded>('POST', LIST, { body })
      onAdded()
      toast(`${plural(reply.added.length, 'account')} added, ${reply.already_present.length} already on the list.`)
      if (reply.rejected.length === 0) onClose()
      else setResult(reply)
    } catch (problem) {
      if (problem instanceof RequestError) setError(problem)
      else throw problem
    }
  }

  return (
    <Dialog title="Add accounts" onClose={onClose}>
      {result ? (
        <Notice tone="warn">
          <p class="strong">{plural(result.rejected.length, 'line is', 'lines are')} not a domain and was not added:</p>
          <ul>
            {result.rejected.slice(0, SHOWN_REJECTED).map(({ input, reason }) => (
              <li key={input}>
                <Outside max={80}>{input}</Outside>: <Outside>{reason}</Outside>
              </li>
            ))}
          </ul>
        </Notice>
      ) : (
        <>
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
          <p class="muted">Adding is free. Nights enrich new accounts within the budget.</p>
        </>
      )}
      {error && <Failure error={error} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {result ? 'Close' : 'Cancel'}
        </button>
        {!result && (
          <button type="button" class="button primary" disabled={domains.length === 0} onClick={() => void add()}>
            Add {plural(domains.length, 'account')}
          </button>
        )}
      </div>
    </Dialog>
  )
}
