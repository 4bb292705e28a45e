import type { CommandModule } from 'yargs'
import type { ScheduleImportReport } from '../../../form-adv/import-schedules.ts'
import { importScheduleFile } from '../../../form-adv/import-schedules.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openService } from '../../support/databases.ts'
import { EXIT } from '../../support/exit-codes.ts'

export const importSchedulesCommand: CommandModule<object, CommonArguments & { files: string[] }> = {
  command: 'import-schedules <files..>',
  describe: "Take in owners and officers (Schedules A and B) from the SEC's zips of filing data, in any order",
  builder: (cli) =>
    cli.positional('files', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'ADV_Filing_Data_*.zip; the last 13 or 14 months show every firm',
    }),
  handler: run(async (command, { files }) => {
    await using service = await openService(command)
    const reports: ScheduleImportReport[] = []
    try {
      for (const file of files) {
        const report = await importScheduleFile(service, file, {
          maxBytes: command.config.firms.max_file_megabytes * 2 ** 20,
          signal: command.signal,
        })
        reports.push(report)
        command.out.line(describe(report))
      }
    } finally {
      // What was taken in before another file failed is told as well.
      if (command.json) command.out.result(reports, () => '')
    }
    return reports.some(({ broken }) => broken > 0) ? EXIT.degraded : EXIT.done
  }),
}

const number = (value: number): string => value.toLocaleString('en-US')

const describe = ({ file, firms, firms_renewed, owners, persons, superseded, broken }: ScheduleImportReport): string =>
  `${file}: ${number(firms_renewed)} of ${number(firms)} firms renewed, ${number(owners)} owners and officers (${number(persons)} natural persons), ` +
  `${number(superseded)} lines of earlier filings, ${number(broken)} lines not read`
