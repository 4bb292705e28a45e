import { stat } from 'node:fs/promises'
import { AppError, systemCode } from '../../lib/errors.ts'
import { pluralize } from '../../lib/pluralize.ts'
import { parseFields } from '../../spreadsheets/company-columns.ts'
import { summarize } from '../../spreadsheets/list-entries.ts'
import { confirm } from '../support/confirm.ts'
import type { Handler } from '../support/definition.ts'
import { buyEnrichment } from '../support/enrich-file/buy.ts'
import type { EnrichJob } from '../support/enrich-file/job.ts'
import { createJob, openJob, unitsOf } from '../support/enrich-file/job.ts'
import { writeResults } from '../support/enrich-file/write-results.ts'
import { EXIT } from '../support/exit-codes.ts'
import { openClient } from '../support/open-client.ts'
import { matchSheet, readInput, summaryText } from '../support/sheet-files.ts'
import type { MatchArguments } from '../support/sheet-options.ts'

interface Arguments extends MatchArguments {
  file: string
  out: string
  leadership: boolean
  signals: boolean
  'max-units': number | undefined
  fields: string | undefined
  provenance: boolean
}

/**
 * Matches the rows in a file to companies, enriches the companies and writes the results to another file. Resumes
 * interrupted jobs.
 */
export const enrichFile: Handler<Arguments> = async (command, args) => {
  const { out, signal } = command
  const bytes = await readInput(args.file)
  const choice = { fields: parseFields(args.fields), provenance: args.provenance, ...groupsOf(args) }
  const client = await openClient(command)
  const known = await openJob(args.out, bytes, groupsOf(args))
  if (!known) await refuseToOverwrite(args.out)
  const job =
    known ??
    createJob(args.out, bytes, groupsOf(args), await matchSheet(command, client, bytes, args), args['include-doubtful'])
  const report = summarize(job.sheet, job.state.columns, job.state.results)
  if (known) out.note(resumeText(job))
  else out.line(summaryText(args.file, report))
  const quote = await quoteOf(job, args['max-units'], async () => (await client.usage({ signal })).units_remaining)
  out.line(quote.text)
  if (!known && job.state.companies.length > 0 && !args.yes) await confirm('Enrich them?', signal)
  await job.save()
  const bought = await buyEnrichment(command, client, job, args['max-units'])
  const files = await writeResults(command, client, job, choice, args.out)
  if (bought.stopped !== 'units') await job.remove()
  out.result({ ...files, ...bought }, () =>
    [
      `${pluralize(files.rows, 'row')} in ${args.out}${files.unmatched > 0 ? `, ${files.unmatched} in ${files.unmatched_file}` : ''}.`,
      `${pluralize(bought.units_charged, 'unit')} charged, ${bought.units_refunded} refunded for companies without a result.`,
      ...stoppedText(bought.stopped, bought.left),
    ].join('\n'),
  )
  if (bought.stopped === 'units') return EXIT.insufficientUnits
  return bought.left > 0 || files.unmatched > report.blank ? EXIT.degraded : EXIT.done
}

const groupsOf = ({ leadership, signals }: Arguments) => ({ leadership, signals })

async function refuseToOverwrite(file: string): Promise<void> {
  const exists = await stat(file).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error
    return undefined
  })
  if (exists) throw new AppError('conflict', `${file} exists. Choose another --out, or delete the file.`)
}

function resumeText({ state }: EnrichJob): string {
  const submitted = state.companies.filter(({ task_id }) => task_id !== null).length
  return `Resuming: ${submitted} of ${pluralize(state.companies.length, 'company', 'companies')} have already been submitted.`
}

async function quoteOf({ state }: EnrichJob, limit: number | undefined, balance: () => Promise<number>) {
  const each = unitsOf(state.groups)
  const most = each * state.companies.filter(({ task_id }) => task_id === null).length
  const limited = limit !== undefined && limit < most ? `, limited to ${limit}` : ''
  return {
    text: `At most ${pluralize(most, 'unit')}${limited}: ${each} for each company that is not fresh. ${await balance()} units remain.`,
  }
}

function stoppedText(stopped: 'limit' | 'units' | null, left: number): string[] {
  const companies = pluralize(left, 'company', 'companies')
  if (stopped === 'limit') return [`${companies} not enriched: --max-units was reached.`]
  if (stopped === 'units')
    return [`${companies} not enriched: no units remain. Run the same command again to continue.`]
  return []
}
