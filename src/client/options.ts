import type { Fetch, Limiter, ReplyHeaders } from './transport.ts'

export interface RetryOptions {
  /** Maximum number of attempts, at least 1. @default 5 */
  attempts?: number
  /** Milliseconds before the second attempt; the delay doubles with each further attempt. @default 200 */
  minDelay?: number
  /** Maximum delay in milliseconds. @default 30_000 */
  maxDelay?: number
  /**
   * Maximum `Retry-After` to wait for, in milliseconds. A longer `Retry-After` fails the call immediately. @default
   * 120_000
   */
  maxRetryAfter?: number
  onRetry?: (retry: { request: string; attempt: number; reason: string; delay: number }) => void
}

export interface ClientOptions {
  /** Address of the service, such as `https://enrich.example.com`, optionally with a path. */
  baseUrl: string
  /** Omit the key on a page served by the service itself, where the session cookie authenticates requests. */
  apiKey?: string | undefined
  /** Timeout of one attempt in milliseconds, including the body. @default 30_000 */
  timeout?: number
  retry?: RetryOptions
  /** Aborts all requests. */
  signal?: AbortSignal
  /** Limits concurrency or the request rate. @default none */
  limiter?: Limiter
  /** Replaces the platform's `fetch`. */
  fetch?: Fetch
  /** Called for every response, including errors and responses that are retried. */
  onResponse?: (response: ResponseInfo) => void
}

/** Metadata of a response. */
export interface ResponseInfo {
  /** Method and path without the query, such as `GET /v2/companies/acme.com`. */
  request: string
  status: number
  headers: ReplyHeaders
  /** Identifies the request in the service's log. */
  requestId: string | undefined
}

/** Options for one call. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Timeout of one attempt in milliseconds. */
  timeout?: number | undefined
  onResponse?: ((response: ResponseInfo) => void) | undefined
}

/** Options for a call that costs units. */
export interface PaidOptions extends RequestOptions {
  /** Calls with the same key within 24 hours are charged once. @default a random key for each call */
  idempotencyKey?: string | undefined
  /**
   * If true, the call is retried after a lost response. Set this option to false for a host that ignores idempotency
   * keys; the call is then retried only after a 429. @default true
   */
  repeatable?: boolean | undefined
}

/** A CSV file: text, or bytes in any encoding that the service reads. */
export type CsvFile = string | Uint8Array<ArrayBuffer>

/** Query parameters. Undefined parameters are omitted; arrays become comma-separated lists. */
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>

export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path below the base URL, such as `/v2/usage`. */
  path: string
  query?: Query
  /** Sent as JSON. */
  body?: unknown
  /** A CSV file to send instead of JSON. */
  csv?: CsvFile
  /** Format of the response. CSV is returned as text. @default 'json' */
  accept?: 'json' | 'csv'
  headers?: Record<string, string>
  /** Milliseconds that the service may wait before it responds, added to the timeout. @default 0 */
  waits?: number | undefined
  /** True if repeating the request has no further effect. @default true for GET */
  repeatable?: boolean | undefined
}

/** Sends a request and returns the parsed body. Throws ApiError, ConnectionError or the signal's abort reason. */
export type Send = <Body>(request: ApiRequest, options?: RequestOptions) => Promise<Body>
