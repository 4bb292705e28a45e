import { diffSnapshots } from '../../../../pipelines/snapshot/diff-snapshots.ts'
import { readManifest } from '../../../../pipelines/snapshot/manifest.ts'
import type { Handler } from '../../support/definition.ts'
import { formatRows } from '../../support/output.ts'
import { sinkOf } from '../../support/sink.ts'

interface Arguments {
  before: string
  after: string | undefined
}

export const diff: Handler<Arguments> = async ({ config, out }, { before, after }) => {
  const sink = await sinkOf(config)
  const differences = await diffSnapshots(sink, await readManifest(sink, before), await readManifest(sink, after))
  const rows = differences.map(({ examples, ...counts }) => ({ ...counts, first_changed: examples.changed.join(', ') }))
  out.result(differences, () => formatRows(rows, 'table'))
}
