import { useState } from 'preact/hooks'
import type { TalImport } from '../../../src/contract/tal-sheets.ts'
import { formatField, formatNumber, plural } from '../../lib/format.ts'
import type { RequestError } from '../../lib/http.ts'
import { asRequestError } from '../../lib/http.ts'
import { Failure, Skeleton } from '../../ui/feedback.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { DropZone } from './drop-zone.tsx'
import { importFile } from './import-file.ts'
import { Imported } from './imported.tsx'
import { RowTable } from './row-table.tsx'

/** Headings of the columns that the user chose; the others are detected. */
type Columns = { domain?: string; name?: string }

/** Imports a CSV file into the target account list: preview with decisions, import, quote, enrichment and download. */
export function Upload() {
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<TalImport>()
  const [imported, setImported] = useState<TalImport>()
  const [error, setError] = useState<RequestError>()
  const [isBusy, setBusy] = useState(false)
  const [accepted, setAccepted] = useState<ReadonlySet<number>>(new Set())
  const [source, setSource] = useState('')
  const [columns, setColumns] = useState<Columns>({})
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
  const choose = (chosen: File, named: Columns = {}) =>
    attempt(async () => {
      setFile(chosen)
      setColumns(named)
      setPreview(undefined)
      setImported(undefined)
      setAccepted(new Set())
      setPreview(await importFile(chosen, { dry_run: true, accepted: new Set(), columns: named, onProgress }))
    })
  const add = () =>
    attempt(async () => {
      if (file) setImported(await importFile(file, { source: source.trim(), accepted, columns, onProgress }))
    })
  return (
    <Page
      name="Upload a CSV file"
      title="Upload a CSV file"
      crumbs={<a href="/console/accounts">Target accounts</a>}
      lead="The service finds the company for each row by domain, name or place. Nothing is added or spent before you confirm."
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
          <Preview preview={preview} onColumns={(change) => file && void choose(file, { ...columns, ...change })} />
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

function Preview({ preview, onColumns }: { preview: TalImport; onColumns: (change: Columns) => void }) {
  const figures = [
    ['Companies found', preview.matched - preview.duplicates],
    ['To decide', preview.doubtful],
    ['Not found', preview.unknown],
    ['Duplicates', preview.duplicates],
    ['Blank', preview.blank],
  ] as const
  const { domain, name, ...others } = preview.columns
  const headings = [...new Set([...(domain === undefined ? [] : [domain]), ...preview.attributes])]
  const detected = Object.entries(others).map(([field, heading]) => `${heading} as ${formatField(field)}`)
  return (
    <>
      <dl class="card figures">
        {figures.map(([name, count]) => (
          <Figure key={name} name={name}>
            {formatNumber(count)}
          </Figure>
        ))}
      </dl>
      <Card title="Columns">
        <div class="stack-small">
          <div class="row wrap">
            <ColumnChoice
              label="Domain column"
              value={domain}
              headings={headings}
              onChange={(heading) => onColumns({ domain: heading })}
            />
            <ColumnChoice
              label="Name column"
              value={name}
              headings={headings}
              onChange={(heading) => onColumns({ name: heading })}
            />
          </div>
          {detected.length > 0 && (
            <p class="muted">
              Also read: <bdi class="outside">{detected.join(', ')}</bdi>.
            </p>
          )}
          {preview.attributes.length > 0 && (
            <p class="muted">
              Kept with each account: <bdi class="outside">{preview.attributes.join(', ').slice(0, 300)}</bdi>.
            </p>
          )}
        </div>
      </Card>
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
