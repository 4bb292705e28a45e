import type { ScheduleImportReport } from '../../../form-adv/import-schedules.ts'
import { importScheduleFile } from '../../../form-adv/import-schedules.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'

export const importSchedules: Handler<{ files: string[] }> = async (command, { files }) => {
  const { config, json, out, signal } = command
  await using service = await openService(command)
  const options = {
    maxBytes: config.firms.max_file_megabytes * 2 ** 20,
    formAdvNames: config.privacy.form_adv_names,
    actor: cliActor(),
    signal,
  }
  const reports: ScheduleImportReport[] = []
  try {
    for (const file of files) {
      const report = await importScheduleFile(service, file, options)
      reports.push(report)
      out.line(describe(report))
    }
  } finally {
    // Also reports the files that were imported before a failure.
    if (json) out.result(reports, () => '')
  }
  return reports.some(({ broken }) => broken > 0) ? EXIT.degraded : EXIT.done
}

const number = (value: number): string => value.toLocaleString('en-US')

const describe = ({ file, firms, firms_renewed, owners, persons, superseded, broken }: ScheduleImportReport): string =>
  `${file}: ${number(firms_renewed)} of ${number(firms)} firms updated, ${number(owners)} owners and officers (${number(persons)} natural persons), ` +
  `${number(superseded)} superseded lines, ${number(broken)} unreadable lines`
