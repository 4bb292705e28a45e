import { findSnapshots } from '../../../../pipelines/snapshot/find-person.ts'
import { messageOf } from '../../../lib/errors.ts'
import type { Matcher } from '../../../personal-data/matcher.ts'
import type { ErasureReport } from '../../../privacy/erase-person.ts'
import { erasePerson, previewErasure } from '../../../privacy/erase-person.ts'
import { parseDescription } from '../../../privacy/person-description.ts'
import { cliActor } from '../../support/cli-actor.ts'
import type { Command } from '../../support/command.ts'
import { confirm, requireTerminal } from '../../support/confirm.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import type { ExitCode } from '../../support/exit-codes.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { formatRows } from '../../support/output.ts'
import { sinkOf } from '../../support/sink.ts'

interface Options {
  person: string
  company: string | undefined
  'dry-run': boolean
  yes: boolean
}

/**
 * Erases the person from the service immediately. The pipelines later erase the person from the warehouse and from the
 * snapshots listed in the output.
 */
export const erase: Handler<Options> = async (command, { 'dry-run': dryRun, yes, ...given }) => {
  const person = parseDescription(given.person, given.company)
  if (!dryRun && !yes) requireTerminal()
  await using service = await openService(command)
  let matcher: Matcher | undefined
  const options = {
    actor: cliActor(),
    formAdvNames: command.config.privacy.form_adv_names,
    onFound: (found: Matcher) => {
      matcher = found
    },
  }
  const show = async (report: ErasureReport): Promise<ExitCode> => {
    const { emailHash: _, places, ...rest } = report
    const search = await searchSnapshots(command, matcher as Matcher)
    command.out.result({ ...rest, dry_run: dryRun, places, ...search }, () => describe(report, search))
    return search.snapshots === null ? EXIT.degraded : EXIT.done
  }
  if (dryRun) return await show(await previewErasure(service.db, person, options))
  if (!yes) {
    const preview = await previewErasure(service.db, person, options)
    command.out.note(rowsText(preview))
    await confirm('This cannot be undone.', command.signal)
  }
  return await show(await erasePerson(service.db, person, options))
}

interface SnapshotSearch {
  /** IDs of the snapshots that contain the person; null if the snapshots could not be searched. */
  snapshots: string[] | null
  error?: string
}

/** The person is already erased from the service, so a failed search does not fail the command. */
async function searchSnapshots({ config }: Command, matcher: Matcher): Promise<SnapshotSearch> {
  try {
    return { snapshots: await findSnapshots(await sinkOf(config), matcher) }
  } catch (error) {
    return { snapshots: null, error: messageOf(error) }
  }
}

function describe(report: ErasureReport, { snapshots, error }: SnapshotSearch): string {
  const { erasure_id } = report
  return [
    rowsText(report),
    erasure_id === null
      ? 'Dry run: nothing was changed.'
      : `Erasure ${erasure_id}: the person is on the suppression list.`,
    snapshots === null
      ? `The snapshots could not be searched (${error}). \`talhouse run erasures\` rewrites those that contain the person, as does every nightly run.`
      : snapshots.length === 0
        ? 'No snapshot contains the person.'
        : `Snapshots that contain the person: ${snapshots.join(', ')}. \`talhouse run erasures\` rewrites them, as does every nightly run.`,
  ].join('\n')
}

const rowsText = ({ places }: ErasureReport): string =>
  places.length === 0
    ? 'The service stores no data about this person.'
    : formatRows(
        places.map(({ table, rows, removal }) => ({ table, rows, removal })),
        'table',
      )
