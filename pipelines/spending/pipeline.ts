import type { AnyLedgerLines } from '../host/replies.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import type { StoredLine } from './stored-lines.ts'
import { deleteLedger, lastLine, lastLineOf, writeLines } from './stored-lines.ts'

/** Maximum lines per request. */
const PAGE = 1000

type Line = AnyLedgerLines['lines'][number]

/**
 * Pulls the service's unit ledger, starting with the last stored line. If the service no longer has that line, for
 * example because the service was restored from a backup, pulls the entire ledger again. Does nothing if the host does
 * not provide ledger lines.
 */
export const spending: Pipeline = {
  name: 'spending',
  async run({ client, warehouse: { db }, signal, runId, counts, progress }) {
    const request = (from: StoredLine | undefined) => client.ledgerLines({ ...before(from), limit: PAGE }, signal)
    let last = await lastLine(db)
    let page = await request(last)
    if (page && last && page.ledger_id !== last.ledger_id) {
      last = await lastLineOf(db, page.ledger_id)
      page = await request(last)
    }
    if (page && last && !isLine(page.lines[0], last)) {
      counts.gone += await deleteLedger(db, last.ledger_id)
      last = undefined
      page = await request(last)
    }
    for (let pulled = 0; page; page = await request(last)) {
      const lines = last ? page.lines.slice(1) : page.lines
      if (lines.length > 0) last = await writeLines(db, page.ledger_id, lines, runId)
      counts.inserted += lines.length
      pulled += lines.length
      progress(pulled)
      if (page.lines.length < PAGE) break
    }
    return { reasons: [] }
  },
}

/** The position just before a line, so that the next page starts with that line. */
const before = (line: StoredLine | undefined) => {
  if (!line) return {}
  return line.item > 0 ? { after_entry: line.entry_id, after_item: line.item - 1 } : { after_entry: line.entry_id - 1 }
}

const isLine = (line: Line | undefined, stored: StoredLine): boolean =>
  line !== undefined &&
  line.entry_id === stored.entry_id &&
  line.item === stored.item &&
  line.units === stored.units &&
  Date.parse(line.created_at) === Date.parse(stored.created_at)
