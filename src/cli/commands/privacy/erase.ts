import { findSnapshots } from '../../../../pipelines/snapshot/find-person.ts'
import type { Matcher } from '../../../personal-data/matcher.ts'
import type { ErasureReport } from '../../../privacy/erase-person.ts'
import { erasePerson, previewErasure } from '../../../privacy/erase-person.ts'
import { parseDescription } from '../../../privacy/person-description.ts'
import { cliActor } from '../../support/cli-actor.ts'
import { confirm } from '../../support/confirm.ts'
import { openService } from '../../support/databases.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'
import { sinkOf } from '../../support/sink.ts'

interface Options {
  person: string
  company: string | undefined
  'dry-run': boolean
  yes: boolean
}

/** Erases from the service at once; the pipelines erase the warehouse and the reported snapshots. */
export const erase: Handler<Options> = async (command, { 'dry-run': dryRun, yes, ...given }) => {
  const person = parseDescription(given.person, given.company)
  await using service = await openService(command)
  let matcher: Matcher | undefined
  const options = {
    actor: cliActor(),
    formAdvNames: command.config.privacy.form_adv_names,
    onFound: (found: Matcher) => {
      matcher = found
    },
  }
  const show = async (report: ErasureReport): Promise<void> => {
    const { emailHash: _, places, ...rest } = report
    const snapshots = await findSnapshots(await sinkOf(command.config), matcher as Matcher)
    command.out.result({ ...rest, dry_run: dryRun, places, snapshots }, () => describe(report, snapshots))
  }
  if (dryRun) return await show(await previewErasure(service.db, person, options))
  if (!yes) {
    const preview = await previewErasure(service.db, person, options)
    command.out.note(rowsText(preview))
    await confirm('This cannot be undone.', command.signal)
  }
  await show(await erasePerson(service.db, person, options))
}

function describe(report: ErasureReport, snapshots: readonly string[]): string {
  const { erasure_id } = report
  return [
    rowsText(report),
    erasure_id === null
      ? 'Dry run: nothing was changed.'
      : `Erasure ${erasure_id}: the person is on the suppression list.`,
    snapshots.length === 0
      ? 'No snapshot contains the person.'
      : `Snapshots that contain the person: ${snapshots.join(', ')}. \`talhouse run erasures\` rewrites them, as does every nightly run.`,
  ].join('\n')
}

const rowsText = ({ places }: ErasureReport): string =>
  places.length === 0
    ? 'The service stores nothing about this person.'
    : formatRows(
        places.map(({ table, rows, removal }) => ({ table, rows, removal })),
        'table',
      )
