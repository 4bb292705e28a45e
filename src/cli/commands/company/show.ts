import { ApiError } from '../../../client/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { companyText } from '../../support/company-text.ts'
import type { Handler } from '../../support/definition.ts'
import { openClient } from '../../support/open-client.ts'

const EVENTS = 30

export const showCompany: Handler<{ domain: string }> = async (command, { domain }) => {
  const { signal, out } = command
  const client = await openClient(command)
  const company = await client.companies
    .get(domain, { include: ['all'], include_provenance: true }, { signal })
    .catch((error: unknown) => explainUnknown(domain, error))
  const { events } = await client.companies.history(domain, { limit: EVENTS }, { signal })
  out.result({ ...company, history: events }, () => companyText(company, events, { now: new Date(), width: out.width }))
}

function explainUnknown(domain: string, error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
  throw new AppError('not_found', `No data on ${domain}. Enrich it with \`talhouse company enrich ${domain}\`.`)
}
