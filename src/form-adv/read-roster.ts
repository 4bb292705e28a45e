import { parse } from 'csv-parse/sync'
import type { StagedFirm } from '../firms/staged-firm.ts'
import { AppError } from '../lib/errors.ts'
import { buildFirm } from './build-firm.ts'
import { feedLayout, readFeedRows } from './feed-rows.ts'
import type { Inspection } from './inspect-bytes.ts'
import type { ReadBytesOptions, RosterBytes } from './roster-bytes.ts'
import { decode } from './roster-bytes.ts'
import type { RosterLayout } from './roster-layout.ts'
import { detectDelimiter, readLayout } from './roster-layout.ts'
import { readRosterRows } from './roster-rows.ts'

/** A roster or feed with a known layout. */
export interface Roster {
  layout: RosterLayout
  /** Whether the file is a feed. In a feed, items differ between firms; in a roster, all rows have the same columns. */
  isFeed: boolean
  /** Streams the firms in the file. */
  firms(options: ReadOptions): AsyncGenerator<StagedFirm>
}

export interface ReadOptions extends ReadBytesOptions {
  /** Latest valid filing date, YYYY-MM-DD. */
  latestDay: string
}

/** Detects the format from the start of the file. Throws `bad_input` if the file is not an SEC roster or feed. */
export function recogniseRoster(bytes: RosterBytes, { head, encoding }: Inspection): Roster {
  if (/^\s*<(!doctype html|html)/i.test(head))
    throw new AppError('bad_input', `${bytes.name} is a web page, not a roster. Check the download.`)
  const isFeed = /^\s*</.test(head)
  const layout = isFeed ? feedLayout(bytes.name) : layoutOfHead(bytes.name, head)
  return {
    layout,
    isFeed,
    async *firms({ latestDay, onBytes, signal }) {
      const text = decode(bytes, encoding, { onBytes, signal })
      const rows = isFeed ? readFeedRows(bytes.name, text) : readRosterRows(bytes.name, text, layout)
      for await (const row of rows) yield buildFirm(row, layout, latestDay)
    },
  }
}

function layoutOfHead(file: string, head: string): RosterLayout {
  const firstLine = head.replace(/^\s+/, '').split(/\r?\n|\r/, 1)[0] as string
  const delimiter = detectDelimiter(firstLine)
  const cells = parse(firstLine, { delimiter, relax_quotes: true, ...(delimiter === '|' && { quote: null }) })[0] ?? []
  return readLayout(file, cells, delimiter)
}
