import type { Sink } from '../../../../pipelines/sinks/sink.ts'
import type { Manifest } from '../../../../pipelines/snapshot/manifest.ts'
import { readManifest } from '../../../../pipelines/snapshot/manifest.ts'
import { verifySnapshot } from '../../../../pipelines/snapshot/verify-snapshot.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Handler } from '../../support/definition.ts'
import { EXIT } from '../../support/exit-codes.ts'
import { formatRows } from '../../support/output.ts'
import { sinkOf } from '../../support/sink.ts'

export const verify: Handler<{ id: string | undefined }> = async ({ config, out }, { id }) => {
  const sink = await sinkOf(config)
  const manifest = await manifestToVerify(sink, id)
  const tables = await verifySnapshot(sink, manifest)
  const damaged = tables.filter(({ problems }) => problems.length > 0)
  out.result({ id: manifest.id, whole: damaged.length === 0, tables }, () => {
    const rows = tables.map(({ table, rows, parts, problems }) => ({
      table,
      rows,
      parts,
      verdict: problems.join('; ') || 'ok',
    }))
    const verdict = damaged.length === 0 ? 'is intact' : `is damaged in ${damaged.length} of ${tables.length} tables`
    return `${formatRows(rows, 'table')}\nSnapshot ${manifest.id} ${verdict}.`
  })
  return damaged.length === 0 ? EXIT.done : EXIT.degraded
}

/**
 * Reads the manifest. If the manifest is damaged, the command exits with the code for differences, not the code for bad
 * input.
 */
async function manifestToVerify(sink: Sink, id: string | undefined): Promise<Manifest> {
  try {
    return await readManifest(sink, id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_input')
      throw new AppError('incomplete', error.message, { cause: error })
    throw error
  }
}
