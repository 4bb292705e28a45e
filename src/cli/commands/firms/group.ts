import type { CommandModule } from 'yargs'
import { importFirmsCommand } from './import.ts'
import { importSchedulesCommand } from './import-schedules.ts'
import { queryFirmsCommand } from './query.ts'

export const firmsCommand: CommandModule = {
  command: 'firms <command>',
  describe: "Import the SEC's rosters, and query the firms",
  builder: (cli) =>
    cli.command([importFirmsCommand, importSchedulesCommand, queryFirmsCommand] as CommandModule[]).demandCommand(1),
  handler: () => undefined,
}
