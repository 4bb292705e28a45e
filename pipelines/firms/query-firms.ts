import { FIRM_FIELD_NAMES } from '../../src/contract/firm-fields.ts'
import type { FirmQuery } from '../../src/contract/firms.ts'
import type { Host } from '../host-profile/host.ts'
import type { FirmFieldSet } from '../host-profile/profile.ts'
import type { PipelineDeps } from '../runner/pipeline.ts'

/** The field sets, largest first. The interface guarantees only the fields in the last set. */
export const FIELD_SETS = {
  all: [...FIRM_FIELD_NAMES, 'as_of'],
  typed: FIRM_FIELD_NAMES,
  promised: ['legal_name', 'sec_number', 'aum_total_usd', 'region'],
} as const satisfies Record<FirmFieldSet, readonly string[]>

export interface FirmReader extends Pick<PipelineDeps, 'client'> {
  host: Host
  signal: AbortSignal
}

export interface FirmPage {
  data: unknown[]
  total_count: number | undefined
  as_of: string | null | undefined
  data_version: string | null | undefined
}

/**
 * Queries firms. Translates field names to the host's names in the request, and back to the interface's names in the
 * result.
 */
export async function queryFirms({ client, host, signal }: FirmReader, query: FirmQuery): Promise<FirmPage> {
  const select = (query.select ?? FIELD_SETS.all).map((name) => host.nameOf('firm', name))
  const { data, total_count, as_of, data_version } = await client.firms.query({ ...query, select }, signal)
  return { data: await host.translate('firm', data), total_count: total_count ?? undefined, as_of, data_version }
}

/** The firm fields that the service is known to accept, or all fields until the accepted fields are detected. */
export const knownFirmFields = ({ profile }: Host): readonly string[] => FIELD_SETS[profile.firm_fields || 'all']
