import { chunk } from '../../../lib/chunk.ts'
import { pluralize } from '../../../lib/pluralize.ts'
import { entriesOf, summarize } from '../../../spreadsheets/list-entries.ts'
import { confirm } from '../../support/confirm.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { openClient } from '../../support/open-client.ts'
import { formatRows } from '../../support/output.ts'
import { matchSheet, readInput, summaryText } from '../../support/sheet-files.ts'
import type { MatchArguments } from '../../support/sheet-options.ts'

interface Arguments extends MatchArguments {
  file: string
  source: string | undefined
  'dry-run': boolean
}

const COLUMNS = ['row', 'status', 'domain', 'matched_name', 'likelihood', 'reason']

/** Maximum number of entries per request; the entries' attributes must fit in the request body. */
const ENTRIES = 50

export const importList: Handler<Arguments> = async (command, { file, source, ...args }) => {
  const { out, signal } = command
  const bytes = await readInput(file)
  const client = await openClient(command)
  const { sheet, columns, results } = await matchSheet(command, client, bytes, args)
  const report = summarize(sheet, columns, results)
  const code = report.doubtful + report.unknown > 0 ? EXIT.degraded : EXIT.done
  if (args['dry-run']) {
    out.line(summaryText(file, report))
    out.result({ dry_run: true, ...report, added: 0, updated: 0 }, () => formatRows(results, 'table', COLUMNS))
    return code
  }
  const entries = entriesOf(sheet, columns, results, () => args['include-doubtful'])
  out.line(summaryText(file, report))
  const question = `Add ${pluralize(entries.length, 'company', 'companies')} to the list?`
  if (entries.length > 0 && !args.yes) await confirm(question, signal)
  let [added, updated] = [0, 0]
  for (const part of chunk(entries, ENTRIES)) {
    const reply = await client.tal.add({ entries: part, source }, { signal })
    added += reply.added.length
    updated += reply.updated.length
  }
  const unchanged = entries.length - added - updated
  out.result(
    { dry_run: false, ...report, added, updated },
    () => `${added} added, ${updated} updated, ${unchanged} already on the list.`,
  )
  return code
}
