import type * as OpenTelemetry from '@opentelemetry/api'
import { AppError } from './errors.ts'

type Api = typeof OpenTelemetry

/** The tracing API; undefined while tracing is off, because its import takes 10 ms. */
let api: Api | undefined

/** Turns tracing on. Spans that are already open are not recorded. */
export function enableTracing(opentelemetry: Api): void {
  api = opentelemetry
}

export interface SpanOptions {
  /** @default INTERNAL */
  kind?: keyof typeof OpenTelemetry.SpanKind
  attributes?: OpenTelemetry.Attributes
  /**
   * The W3C `traceparent` of the span that caused this work in another process; null starts a new trace. @default the
   * current span
   */
  parent?: string | null | undefined
}

/** Runs work in a span, if tracing is on. If the work throws, the span ends with an error status. */
export async function inSpan<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  if (!api) return await work()
  const span = openSpan(name, options)
  try {
    return await span.run(work)
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

export interface OpenSpan {
  /** Runs work whose spans become children of this span. */
  run<Result>(work: () => Result): Result
  rename(name: string): void
  fail(error: unknown): void
  end(attributes?: OpenTelemetry.Attributes): void
}

const NO_SPAN: OpenSpan = {
  run: (work) => work(),
  rename: () => undefined,
  fail: () => undefined,
  end: () => undefined,
}

/** Starts a span that the caller ends, for work that is not a single function call. */
export function openSpan(name: string, { kind = 'INTERNAL', attributes = {}, parent }: SpanOptions): OpenSpan {
  if (!api) return NO_SPAN
  const { context, SpanKind, SpanStatusCode, trace } = api
  const from = parent === undefined ? context.active() : contextOf(api, parent)
  const span = trace.getTracer('talhouse').startSpan(name, { kind: SpanKind[kind], attributes }, from)
  return {
    run: (work) => context.with(trace.setSpan(from, span), work),
    rename: (other) => void span.updateName(other),
    fail(error) {
      // Messages of other errors, such as PostgreSQL errors, can contain personal data.
      const message = error instanceof AppError ? error.message : undefined
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
      span.setAttribute('error.type', error instanceof AppError ? error.code : nameOf(error))
    },
    end(more = {}) {
      span.setAttributes(more)
      span.end()
    },
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

/** The current span as a W3C `traceparent`; undefined if tracing is off. */
export function traceparent(): string | undefined {
  const current = api?.trace.getActiveSpan()?.spanContext()
  return current && `00-${current.traceId}-${current.spanId}-${current.traceFlags.toString(16).padStart(2, '0')}`
}

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

function contextOf({ ROOT_CONTEXT, trace }: Api, parent: string | null): OpenTelemetry.Context {
  const [, traceId, spanId, flags = '0'] = TRACEPARENT.exec(parent ?? '') ?? []
  if (!traceId || !spanId) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  })
}
