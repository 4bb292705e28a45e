/**
 * The client of the service. The client runs on any platform with `fetch` and Web Crypto: Node 20 or newer, Deno, Bun,
 * and browsers.
 */

export type { ServiceClient, ServiceClientList, UnitGrant, UnitsGranted } from '../contract/clients.ts'
export type {
  Company,
  CompanyBatch,
  CompanyGroup,
  CompanyPage,
  Evidence,
  FormAdv,
  Leader,
  Provenance,
  Signal,
  SignalType,
  SourceAnswer as SourceResult,
} from '../contract/companies.ts'
export type {
  CompanySubmission,
  Quote,
  QuoteDetails,
  SubmissionReply as Submission,
  TalSubmissionReply as TalSubmission,
} from '../contract/enrichment.ts'
export type { Firm, FirmFieldName } from '../contract/firm-fields.ts'
export type { HistoryEvent, HistoryPage } from '../contract/history.ts'
export type { CompanyMatch, CompanyMatches, CompanyToMatch, MatchCandidate } from '../contract/match.ts'
export type { Seniority } from '../contract/person-values.ts'
export type {
  CompanyPersons as CompanyPersonPage,
  ErasedPerson as ErasureReport,
  FoundPerson as PersonSummary,
  Person,
  PersonBatch,
  PersonGroup,
  PersonPage,
} from '../contract/persons.ts'
export type { Erasure, ErasureFeed } from '../contract/privacy.ts'
export type { Problem } from '../contract/problem.ts'
export type { Stats } from '../contract/stats.ts'
export type {
  TalAdded as TalAdditionResult,
  TalAttributes,
  TalEntry,
  TalNewEntry,
  TalPage,
  TalRemoved as TalRemovalResult,
} from '../contract/tal.ts'
export type { SheetField, TalImport, TalImportRow } from '../contract/tal-sheets.ts'
export type { Task, TaskOutput, TaskPage, TaskResult, TaskType } from '../contract/tasks.ts'
export type { LedgerLine, LedgerLinePage, Usage } from '../contract/usage.ts'
export type {
  DeliveryPage as WebhookDeliveryPage,
  ReplayedDelivery,
  WebhookEvent,
  WebhookSecret,
} from '../contract/webhooks.ts'
export type { Client, LedgerLineInput } from './client.ts'
// biome-ignore lint/performance/noBarrelFile: the entry of the package
export { createClient } from './client.ts'
export type { ClientsClient, ClientUpdateInput } from './clients.ts'
export type {
  CompaniesClient,
  CompanyBatchInput,
  CompanyInput,
  CompanyPersonsInput,
  CompanySearchInput,
  HistoryInput,
} from './companies.ts'
export type {
  EnrichBatchInput,
  EnrichClient,
  EnrichCompanyInput,
  EnrichPersonInput,
  EnrichTalInput,
  LeadershipInput,
  QuoteInput,
  QuotePage,
  SignalsInput,
  WaitOptions,
} from './enrich.ts'
export { ApiError, ConnectionError, TalhouseError, TimeoutError } from './errors.ts'
export type { FirmData, FirmField, FirmPage, FirmQueryInput, FirmsClient } from './firms.ts'
export type { CompanyMatchInput, MatchClient } from './match.ts'
export type {
  ApiRequest,
  ClientOptions,
  CsvFile,
  PaidOptions,
  Query,
  RequestOptions,
  ResponseInfo,
  RetryOptions,
  Send,
} from './options.ts'
export type { Paged } from './paged.ts'
export type { PersonBatchInput, PersonInput, PersonSearchInput, PersonsClient } from './persons.ts'
export type { ErasureFeedInput, ErasureInput, PrivacyClient } from './privacy.ts'
export type {
  TalAdditionInput,
  TalClient,
  TalExportInput,
  TalImportInput,
  TalInput,
  TalRemovalInput,
} from './tal.ts'
export type { TaskInput, TasksClient, TaskWaitOptions } from './tasks.ts'
export type { Fetch, FetchReply, FetchRequest, Limiter, ReplyHeaders } from './transport.ts'
export type { VerifyOptions, WebhookHeaders } from './verify-webhook.ts'
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'
export type { DeliveryInput, WebhooksClient } from './webhooks.ts'
