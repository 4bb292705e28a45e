import { basename } from 'node:path'
import type { ServiceTables } from '../../../db/database.ts'
import type { ImportReport } from '../../../firms/merge-roster.ts'
import { importFirmFile } from '../../../form-adv/import-file.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Postgres } from '../../../lib/postgres.ts'
import { cliActor } from '../../support/cli-actor.ts'
import type { Command } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { createProgress } from '../../support/progress.ts'

interface Arguments {
  files: string[]
  'allow-gone': string | undefined
  'as-of': string | undefined
}

export const importFirms: Handler<Arguments> = async (command, args) => {
  const allowGoneShare = parseShare(args['allow-gone'])
  await using service = await openService(command)
  const reports: ImportReport[] = []
  try {
    for (const file of args.files) {
      const report = await importOne(command, service, file, { allowGoneShare, asOf: args['as-of'] })
      reports.push(report)
      command.out.line(describe(report))
      for (const warning of report.warnings) command.out.note(`  ${warning}`)
      if (report.gone_unconfirmed_reason) command.out.note(heldHint(report))
      if (report.quarantined > 0) command.out.note(quarantineHint(report))
    }
  } finally {
    // Also reports the files that were imported before a failure.
    if (command.json) command.out.result(reports, () => '')
  }
  const degraded = reports.some(({ quarantined, gone_unconfirmed }) => quarantined + gone_unconfirmed > 0)
  return degraded ? EXIT.degraded : EXIT.done
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
      actor: cliActor(),
      signal,
    })
  } finally {
    progress.stop()
  }
}

/** Parses `25%`, `25` or `0.25`. */
function parseShare(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text.replace(/%$/, ''))
  const share = text.endsWith('%') || number > 1 ? number / 100 : number
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new AppError('invalid_request', `--allow-gone must be a share such as 25%, not ${text}.`)
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
  `  ${number(gone_unconfirmed)} missing firms were not marked as gone: ${gone_unconfirmed_reason}. If they are gone, import again with --allow-gone.`

const quarantineHint = ({ import_id }: ImportReport) =>
  `  List the rejected rows in the service database: select line, reason from firm_quarantine where import_id = '${import_id}'`
