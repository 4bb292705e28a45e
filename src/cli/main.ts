import { runCommandLine } from './support/run-command-line.ts'

// Makes snapshots, logs and the data folder readable only by their owner.
process.umask(0o077)

process.exitCode = await runCommandLine(process.argv.slice(2), process)
