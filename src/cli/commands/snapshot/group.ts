import type { CommandModule } from 'yargs'
import { createSnapshot } from '../../../../pipelines/snapshot/create-snapshot.ts'
import { diffSnapshots } from '../../../../pipelines/snapshot/diff-snapshots.ts'
import { expireSnapshots } from '../../../../pipelines/snapshot/expire-snapshots.ts'
import { listSnapshots } from '../../../../pipelines/snapshot/list-snapshots.ts'
import { readManifest } from '../../../../pipelines/snapshot/manifest.ts'
import { verifySnapshot } from '../../../../pipelines/snapshot/verify-snapshot.ts'
import { systemClock } from '../../../lib/clock.ts'
import type { CommonArguments } from '../../support/command.ts'
import { run } from '../../support/command.ts'
import { openWarehouse } from '../../support/databases.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { formatRows } from '../../support/output.ts'
import { sinkOf } from '../../support/sink.ts'

interface CreateArguments extends CommonArguments {
  spreadsheet: boolean
}

const createCommand: CommandModule<object, CreateArguments> = {
  command: 'create',
  describe: 'Export all tables of the warehouse, read in one state of the database',
  builder: (yargs) =>
    yargs.option('spreadsheet', {
      type: 'boolean',
      default: false,
      describe: 'Neutralise cells that a spreadsheet would run as formulas',
    }),
  handler: run(async (command, { spreadsheet }) => {
    const { config, out, signal } = command
    const sink = await sinkOf(config)
    await using warehouse = await openWarehouse<unknown>(command)
    const { manifest, isLatest } = await createSnapshot(warehouse, sink, {
      variant: spreadsheet ? 'spreadsheet' : 'exact',
      partBytes: config.snapshot.part_mb * 1024 * 1024,
      views: config.snapshot.views,
      clock: systemClock,
      signal,
      onTable: ({ name, rows, parts }) =>
        out.note(`${name}: ${rows} rows in ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`),
    })
    out.result({ id: manifest.id, url: sink.url, latest: isLatest, tables: manifest.tables }, () =>
      [`Snapshot ${manifest.id} in ${sink.url}`, `Check it with: talhouse snapshot verify ${manifest.id}`].join('\n'),
    )
    return undefined
  }),
}

const listCommand: CommandModule<object, CommonArguments> = {
  command: 'list',
  describe: 'List the snapshots, newest first',
  handler: run(async ({ config, out }) => {
    const sink = await sinkOf(config)
    const snapshots = await listSnapshots(sink)
    out.result(snapshots, () =>
      snapshots.length > 0
        ? formatRows(snapshots as unknown as Record<string, unknown>[], 'table')
        : `No snapshot in ${sink.url} yet: make one with \`talhouse snapshot create\`.`,
    )
    return undefined
  }),
}

interface VerifyArguments extends CommonArguments {
  id: string | undefined
}

const verifyCommand: CommandModule<object, VerifyArguments> = {
  command: 'verify [id]',
  describe: 'Read a snapshot back and compare it with its manifest: the latest one by default',
  builder: (yargs) => yargs.positional('id', { type: 'string' }),
  handler: run(async ({ config, out }, { id }) => {
    const sink = await sinkOf(config)
    const manifest = await readManifest(sink, id)
    const verdicts = await verifySnapshot(sink, manifest)
    const damaged = verdicts.filter(({ problems }) => problems.length > 0)
    out.result({ id: manifest.id, whole: damaged.length === 0, tables: verdicts }, () => {
      const rows = verdicts.map(({ table, rows, parts, problems }) => ({
        table,
        rows,
        parts,
        verdict: problems.join('; ') || 'ok',
      }))
      const sentence =
        damaged.length === 0 ? 'is whole' : `is damaged in ${damaged.length} of ${verdicts.length} tables`
      return `${formatRows(rows, 'table')}\nSnapshot ${manifest.id} ${sentence}.`
    })
    return damaged.length === 0 ? EXIT.done : EXIT.failed
  }),
}

interface DiffArguments extends CommonArguments {
  before: string
  after: string | undefined
}

const diffCommand: CommandModule<object, DiffArguments> = {
  command: 'diff <before> [after]',
  describe: 'Compare two snapshots row by row; the second is the latest one by default',
  builder: (yargs) =>
    yargs.positional('before', { type: 'string', demandOption: true }).positional('after', { type: 'string' }),
  handler: run(async ({ config, out }, { before, after }) => {
    const sink = await sinkOf(config)
    const differences = await diffSnapshots(sink, await readManifest(sink, before), await readManifest(sink, after))
    out.result(differences, () =>
      formatRows(
        differences.map(({ examples, ...counts }) => ({ ...counts, first_changed: examples.changed.join(', ') })),
        'table',
      ),
    )
    return undefined
  }),
}

const expireCommand: CommandModule<object, CommonArguments> = {
  command: 'expire',
  describe: 'Remove all but the newest snapshots (snapshot.keep) and what killed publishers left behind',
  handler: run(async ({ config, out }) => {
    const expired = await expireSnapshots(await sinkOf(config), config.snapshot.keep, systemClock.now())
    out.result(expired, () => `Removed ${expired.snapshots.length} snapshots and ${expired.leftovers} leftovers.`)
    return undefined
  }),
}

export const snapshotCommand: CommandModule = {
  command: 'snapshot <command>',
  describe: 'Export the warehouse as CSV, and check what was exported',
  builder: (yargs) =>
    yargs
      .command([createCommand, listCommand, verifyCommand, diffCommand, expireCommand] as CommandModule[])
      .demandCommand(1),
  handler: () => undefined,
}
