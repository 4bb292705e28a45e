import type { Stats } from '../contract/stats.ts'
import type { LedgerLinePage, LedgerLineQuery, Usage } from '../contract/usage.ts'
import type { ClientsClient } from './clients.ts'
import { clientsClient } from './clients.ts'
import type { CompaniesClient } from './companies.ts'
import { companiesClient } from './companies.ts'
import type { EnrichClient } from './enrich.ts'
import { enrichClient } from './enrich.ts'
import type { FirmsClient } from './firms.ts'
import { firmsClient } from './firms.ts'
import type { Input } from './input.ts'
import type { MatchClient } from './match.ts'
import { matchClient } from './match.ts'
import type { ClientOptions, RequestOptions, Send } from './options.ts'
import type { PersonsClient } from './persons.ts'
import { personsClient } from './persons.ts'
import type { PrivacyClient } from './privacy.ts'
import { privacyClient } from './privacy.ts'
import { createSend } from './send.ts'
import type { TalClient } from './tal.ts'
import { talClient } from './tal.ts'
import type { TasksClient } from './tasks.ts'
import { tasksClient } from './tasks.ts'
import type { WebhooksClient } from './webhooks.ts'
import { webhooksClient } from './webhooks.ts'

export type LedgerLineInput = Input<LedgerLineQuery>

/** A client of the service. The client does not hold connections and does not need to be closed. */
export interface Client {
  companies: CompaniesClient
  persons: PersonsClient
  firms: FirmsClient
  match: MatchClient
  tal: TalClient
  enrich: EnrichClient
  tasks: TasksClient
  webhooks: WebhooksClient
  privacy: PrivacyClient
  clients: ClientsClient
  /** The caller's plan, units and current period. */
  usage(options?: RequestOptions): Promise<Usage>
  /** Ledger entries, split by company and person, oldest first. */
  ledgerLines(query?: LedgerLineInput, options?: RequestOptions): Promise<LedgerLinePage>
  /** Record counts across all clients. */
  stats(options?: RequestOptions): Promise<Stats>
  /** Sends a request to an endpoint that has no method in this client. */
  request: Send
}

/** Throws TalhouseError for an invalid base URL or API key. */
export function createClient(options: ClientOptions): Client {
  const send = createSend(options)
  return {
    companies: companiesClient(send),
    persons: personsClient(send),
    firms: firmsClient(send),
    match: matchClient(send),
    tal: talClient(send),
    enrich: enrichClient(send),
    tasks: tasksClient(send),
    webhooks: webhooksClient(send),
    privacy: privacyClient(send),
    clients: clientsClient(send),
    usage: (perCall) => send({ method: 'GET', path: '/v2/usage' }, perCall),
    ledgerLines: (query = {}, perCall) => send({ method: 'GET', path: '/v2/usage/ledger/lines', query }, perCall),
    stats: (perCall) => send({ method: 'GET', path: '/v2/stats' }, perCall),
    request: send,
  }
}
