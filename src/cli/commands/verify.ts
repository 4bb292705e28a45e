import type { Difference, Verifiable } from '../../../pipelines/compare/difference.ts'
import { verify as compare } from '../../../pipelines/repair/verify.ts'
import type { WarehouseTables } from '../../../pipelines/warehouse/tables.ts'
import { pluralize } from '../../lib/pluralize.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { EXIT } from '../support/exit-codes.ts'
import { openPipelines } from '../support/pipeline-deps.ts'

interface Arguments {
  dataset: Verifiable
  quick: boolean
  sample: number | undefined
}

const SHOWN = 50

export const verify: Handler<Arguments> = async (command, { dataset, quick, sample }) => {
  await using warehouse = await openWarehouse<WarehouseTables>(command)
  await using pipelines = await openPipelines(command, warehouse)
  const options = { quick, ...(sample !== undefined && { sample }) }
  const found = await compare({ ...pipelines.deps, signal: command.signal }, dataset, options)
  const { compared, differences, requests, notes } = found
  const hidden = differences.length - SHOWN
  command.out.result(found, () =>
    [
      `Compared ${pluralize(compared, 'row')} in ${pluralize(requests, 'request')}: ${differences.length === 0 ? 'no differences' : pluralize(differences.length, 'difference')}`,
      ...differences.slice(0, SHOWN).map(differenceText),
      ...(hidden > 0 ? [`  ... and ${hidden} more (use --json to list all)`] : []),
      ...notes.map((note) => `  ! ${note}`),
      ...(differences.length > 0 ? [`Repair them: talhouse repair ${dataset}`] : []),
    ].join('\n'),
  )
  return differences.length > 0 ? EXIT.degraded : EXIT.done
}

const differenceText = ({ kind, entity, key, record, fields }: Difference): string =>
  `  ${kind.padEnd(7)}  ${entity} ${key}${record ? ` / ${record}` : ''}${fields ? `: ${fields.join(', ')}` : ''}`
