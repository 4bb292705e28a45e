import { basename } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Entry, ZipFile } from 'yauzl'
import { openPromise } from 'yauzl'
import { AppError, messageOf } from '../lib/errors.ts'
import { inspectBytes } from './inspect-bytes.ts'
import { decode } from './roster-bytes.ts'
import { headingKey } from './roster-columns.ts'
import { readRosterRows } from './roster-rows.ts'
import { memberBytes } from './zip-member.ts'

/** The cells of a row, keyed by the `headingKey` of their column. */
export type FilingRow = ReadonlyMap<string, string>

/** A monthly zip of SEC filing data. The roughly 100 CSV files in the zip share the key FilingID. */
export interface FilingZip extends AsyncDisposable {
  /** Base name of the zip. */
  file: string
  members: readonly string[]
  /**
   * Streams the rows of a file in the zip. Detects the encoding of each file. Skips rows with more or fewer cells than
   * the header row, and reports their line numbers to `onBroken`.
   */
  rows(member: string, onBroken: (line: number) => void, signal?: AbortSignal): AsyncGenerator<FilingRow>
}

/** Opens a zip of filing data. Throws `bad_input` if the file is not a readable zip. */
export async function openFilingZip(path: string, maxBytes: number): Promise<FilingZip> {
  const file = basename(path)
  let zip: ZipFile
  const entries = new Map<string, Entry>()
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false })
    for await (const entry of zip.eachEntry())
      if (/\.csv$/i.test(entry.fileName) && !/(^|\/)(__MACOSX\/|\._)/.test(entry.fileName))
        entries.set(entry.fileName.split('/').at(-1) as string, entry)
  } catch (error) {
    throw new AppError('bad_input', `${file} is not a readable zip of filing data: ${messageOf(error)}.`, {
      cause: error,
    })
  }
  return {
    file,
    members: [...entries.keys()],
    async *rows(member, onBroken, signal) {
      const bytes = memberBytes(zip, entries.get(member) as Entry, member, maxBytes)
      const { encoding, head } = await inspectBytes(bytes, signal)
      const [heading = ''] = head.replace(/^\ufeff/, '').split(/\r?\n/)
      const names = (parse(heading, { relax_quotes: true })[0] ?? []).map(headingKey)
      if (!head.slice(heading.length).trim()) return
      const layout = { delimiter: ',' as const, width: names.length, trailingDelimiter: false }
      for await (const { cells, line } of readRosterRows(member, decode(bytes, encoding), layout)) {
        signal?.throwIfAborted()
        if (cells.length === names.length)
          yield new Map(names.map((name, index) => [name, (cells[index] as string).trim()]))
        else onBroken(line)
      }
    },
    async [Symbol.asyncDispose]() {
      zip.close()
    },
  }
}
