import { AppError, systemCode } from '../../lib/errors.ts'
import { packageVersion } from '../../lib/package-version.ts'
import { enableTracing } from '../../lib/tracing.ts'
import type { Command } from './command.ts'

const PACKAGES = ['context-async-hooks', 'exporter-trace-otlp-http', 'resources', 'sdk-trace'].map(
  (name) => `@opentelemetry/${name}`,
)

/**
 * Starts exporting spans with OTLP over HTTP. Disposal sends the remaining spans. The packages are optional, because
 * they would increase the size of an installation by 10%.
 */
export async function startTracing({ config: { tracing } }: Pick<Command, 'config'>): Promise<AsyncDisposable> {
  const { api, contexts, exporters, resources, sdk } = await importPackages()
  const manager = new contexts.AsyncLocalStorageContextManager().enable()
  api.context.setGlobalContextManager(manager)
  // Headers, compression and certificates come from the standard OTEL_EXPORTER_OTLP_* variables.
  const exporter = new exporters.OTLPTraceExporter({ url: `${tracing.otlp_url.replace(/\/$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': tracing.service_name,
      'service.version': packageVersion(),
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(tracing.sample_ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  api.trace.setGlobalTracerProvider(provider)
  enableTracing(api)
  return { [Symbol.asyncDispose]: () => provider.shutdown() }
}

async function importPackages() {
  try {
    const [api, contexts, exporters, resources, sdk] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ])
    return { api, contexts, exporters, resources, sdk }
  } catch (cause) {
    if (systemCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new AppError(
      'configuration',
      `tracing.otlp_url is set, but its packages are not installed. Run: npm install ${PACKAGES.join(' ')}`,
      { cause },
    )
  }
}
