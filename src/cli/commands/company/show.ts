import type { Company } from '../../../contract/companies.ts'
import type { HistoryEvent } from '../../../contract/history.ts'
import { AppError } from '../../../lib/errors.ts'
import { companyText } from '../../support/company-text.ts'
import type { Handler } from '../../support/definition.ts'
import { openClient } from '../../support/open-client.ts'

const EVENTS = 30

export const showCompany: Handler<{ domain: string }> = async (command, { domain }) => {
  const { signal, out } = command
  await using client = await openClient(command)
  const company = await client.companies.get(domain, { include: 'all', include_provenance: true }, signal)
  if (!company)
    throw new AppError('not_found', `No data on ${domain}. Enrich it with \`talhouse company enrich ${domain}\`.`)
  const { events } = await client.companies.history(domain, { limit: EVENTS }, signal)
  out.result({ ...company, history: events }, () =>
    companyText(company as Company, events as HistoryEvent[], { now: new Date(), width: out.width }),
  )
}
