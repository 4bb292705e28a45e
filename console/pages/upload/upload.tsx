import { useState } from 'preact/hooks'
import type { TalImport } from '../../../src/contract/tal-sheets.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import type { RequestError } from '../../lib/http.ts'
import { asRequestError } from '../../lib/http.ts'
import { Failure, Notice, Skeleton } from '../../ui/feedback.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { DropZone } from './drop-zone.tsx'
import { importFile } from './import-file.ts'
import { Imported } from './imported.tsx'
import { RowTable } from './row-table.tsx'

/** Imports a CSV file into the target account list: preview with decisions, import, quote, enrichment and download. */
export function Upload() {
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<TalImport>()
  const [imported, setImported] = useState<TalImport>()
  const [error, setError] = useState<RequestError>()
  const [isBusy, setBusy] = useState(false)
  const [accepted, setAccepted] = useState<ReadonlySet<number>>(new Set())
  const [source, setSource] = useState('')
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const onProgress = (done: number, total: number) => setProgress({ done, total })
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (problem) {
      setError(asRequestError(problem))
    }
    setBusy(false)
  }
  const choose = (chosen: File) =>
    attempt(async () => {
      setFile(chosen)
      setPreview(undefined)
      setImported(undefined)
      setAccepted(new Set())
      setPreview(await importFile(chosen, { dry_run: true, accepted: new Set(), onProgress }))
    })
  const add = () =>
    attempt(async () => {
      if (file) setImported(await importFile(file, { source: source.trim(), accepted, onProgress }))
    })
  return (
    <Page
      name="Upload a CSV file"
      title="Upload a CSV file"
      crumbs={<a href="/console/accounts">Target accounts</a>}
      lead="The service finds the company of each row by domain, name or place. Nothing is added or spent before you confirm."
    >
      {!imported && <DropZone onFile={(chosen) => void choose(chosen)} fileName={file?.name} />}
      {error && <Failure error={error} />}
      {isBusy && (
        <>
          {progress && progress.total > 1 && (
            <p class="muted" aria-live="polite">
              Part {progress.done + 1} of {progress.total}
            </p>
          )}
          <Skeleton lines={4} />
        </>
      )}
      {preview && !imported && !isBusy && (
        <>
          <Preview preview={preview} />
          <RowTable preview={preview} accepted={accepted} onAccept={setAccepted} />
          <div class="row wrap">
            <label class="row">
              <span class="muted nowrap">Tag (optional)</span>
              <input
                class="input"
                maxLength={100}
                value={source}
                onInput={(event) => setSource(event.currentTarget.value)}
              />
            </label>
            <button
              type="button"
              class="button primary"
              disabled={preview.matched - preview.duplicates + accepted.size === 0}
              onClick={() => void add()}
            >
              Add {plural(preview.matched - preview.duplicates + accepted.size, 'company', 'companies')}
            </button>
            <span class="muted">Adding is free.</span>
          </div>
        </>
      )}
      {imported && (
        <Imported
          imported={imported}
          accepted={accepted}
          onAnother={() => {
            setImported(undefined)
            setPreview(undefined)
            setFile(undefined)
          }}
        />
      )}
    </Page>
  )
}

function Preview({ preview }: { preview: TalImport }) {
  const figures = [
    ['Matched', preview.matched],
    ['To decide', preview.doubtful],
    ['Not found', preview.unknown],
    ['Duplicates', preview.duplicates],
    ['Blank', preview.blank],
  ] as const
  const columns = Object.entries(preview.columns).map(([field, heading]) => `${heading} as ${field}`)
  return (
    <>
      <dl class="card figures">
        {figures.map(([name, count]) => (
          <Figure key={name} name={name}>
            {formatNumber(count)}
          </Figure>
        ))}
      </dl>
      <Notice>
        <p>
          Read {columns.length > 0 ? <bdi class="outside">{columns.join(', ')}</bdi> : 'no column'}.{' '}
          {preview.attributes.length > 0 && (
            <>
              Kept with each account: <bdi class="outside">{preview.attributes.join(', ').slice(0, 300)}</bdi>.
            </>
          )}
        </p>
      </Notice>
      {preview.matched + preview.doubtful === 0 && (
        <Card>
          <p>
            No row names a company that the service can find. Check that the file has a column with domains or names.
          </p>
        </Card>
      )}
    </>
  )
}
