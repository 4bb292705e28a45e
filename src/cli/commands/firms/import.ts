import { basename } from 'node:path'
import type { CommandModule } from 'yargs'
import type { ServiceTables } from '../../../db/database.ts'
import type { ImportReport } from '../../../firms/merge-roster.ts'
import { importFirmFile } from '../../../form-adv/import-file.ts'
import { systemClock } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Postgres } from '../../../lib/postgres.ts'
import type { Command, CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { createProgress } from '../../support/progress.ts'

interface ImportArguments extends CommonArguments {
  files: string[]
  'allow-gone': string | undefined
  'as-of': string | undefined
}

export const importFirmsCommand: CommandModule<object, ImportArguments> = {
  command: 'import <files..>',
  describe: "Take in the SEC's firm rosters (.csv, .txt, .zip) or the daily feed (.xml, .xml.gz), oldest first",
  builder: (cli) =>
    cli
      .positional('files', { type: 'string', array: true, demandOption: true, describe: 'In order of their dates' })
      .option('allow-gone', {
        type: 'string',
        describe: 'Mark missing firms gone up to this share, such as 25%, even if the file may not be whole',
      })
      .option('as-of', { type: 'string', describe: 'The day that the file shows, YYYY-MM-DD, where it does not say' }),
  handler: run(async (command, args) => {
    const allowGoneShare = parseShare(args['allow-gone'])
    await using service = await openService(command)
    const reports: ImportReport[] = []
    try {
      for (const file of args.files) {
        const report = await importOne(command, service, file, { allowGoneShare, asOf: args['as-of'] })
        reports.push(report)
        command.out.line(describe(report))
        if (report.gone_unconfirmed_reason) command.out.note(heldHint(report))
        if (report.quarantined > 0) command.out.note(quarantineHint(report))
      }
    } finally {
      // What was taken in before another file failed is told as well.
      if (command.json) command.out.result(reports, () => '')
    }
    const degraded = reports.some(({ quarantined, gone_unconfirmed }) => quarantined + gone_unconfirmed > 0)
    return degraded ? EXIT.degraded : EXIT.done
  }),
}

async function importOne(
  { config, json, signal }: Command,
  service: Postgres<ServiceTables>,
  file: string,
  given: { allowGoneShare: number | undefined; asOf: string | undefined },
): Promise<ImportReport> {
  const progress = createProgress(basename(file), json)
  try {
    return await importFirmFile(service, file, {
      ...given,
      maxBytes: config.firms.max_file_megabytes * 2 ** 20,
      maxGoneShare: config.firms.max_gone_share,
      onProgress: (bytes, total) => progress.update(bytes, total),
      clock: systemClock,
      signal,
    })
  } finally {
    progress.stop()
  }
}

/** `25%`, `25` and `0.25` are the same. */
function parseShare(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text.replace(/%$/, ''))
  const share = text.endsWith('%') || number > 1 ? number / 100 : number
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new AppError('invalid_request', `--allow-gone ${text} is not a share. Write it as 25%.`)
  return share
}

const number = (value: number) => value.toLocaleString('en-US')

function describe(report: ImportReport): string {
  const counts = (['new', 'returned', 'changed', 'unchanged', 'gone', 'quarantined'] as const)
    .filter((outcome) => report[outcome] > 0 || (outcome !== 'returned' && outcome !== 'quarantined'))
    .map((outcome) => `${number(report[outcome])} ${outcome}`)
  return `${report.file}: ${number(report.rows)} rows as of ${report.as_of} (${report.layout}, ${report.encoding}): ${counts.join(', ')}`
}

const heldHint = ({ gone_unconfirmed, gone_unconfirmed_reason }: ImportReport) =>
  `  ${number(gone_unconfirmed)} missing firms were not marked gone: ${gone_unconfirmed_reason}. If they have left, import again with --allow-gone.`

const quarantineHint = ({ import_id }: ImportReport) =>
  `  The quarantined rows and why: select line, reason from firm_quarantine where import_id = '${import_id}' (in the service's database)`
