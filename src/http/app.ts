import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger } from 'fastify'
import fastify from 'fastify'
import type { App, AppDeps } from './deps.ts'
import { sendProblem } from './errors.ts'
import { requireKey } from './plugins/authentication.ts'
import { limitConcurrency } from './plugins/concurrency.ts'
import { serveConsole } from './plugins/console.ts'
import { hideContacts } from './plugins/contact-masking.ts'
import { documentErrors } from './plugins/documented-errors.ts'
import { serveGuide } from './plugins/guide.ts'
import { checkHost } from './plugins/host-header.ts'
import { parseJson } from './plugins/json-body.ts'
import { acceptLenientInput } from './plugins/lenient-input.ts'
import { measure } from './plugins/metrics.ts'
import { openApi } from './plugins/open-api.ts'
import { sendPrivateHeaders } from './plugins/private-headers.ts'
import { limitRates } from './plugins/rate-limits.ts'
import { createRequestLog, echoRequestId, requestId } from './plugins/request-log.ts'
import { traceRequests } from './plugins/traces.ts'
import { refuseUnknownParameters } from './plugins/unknown-parameters.ts'
import { refuseUnknownRoutes } from './plugins/unknown-routes.ts'
import { auditRoutes } from './routes/audit.ts'
import { clientRoutes } from './routes/clients.ts'
import { companyRoutes } from './routes/companies.ts'
import { enrichRoutes } from './routes/enrich.ts'
import { eventRoutes } from './routes/events.ts'
import { firmRoutes } from './routes/firms.ts'
import { healthRoutes } from './routes/health.ts'
import { keyRoutes } from './routes/keys.ts'
import { matchRoutes } from './routes/match.ts'
import { personRoutes } from './routes/persons.ts'
import { privacyRoutes } from './routes/privacy.ts'
import { quoteRoutes } from './routes/quotes.ts'
import { sessionRoutes, signInRoutes } from './routes/sessions.ts'
import { settingRoutes } from './routes/settings.ts'
import { statsRoutes } from './routes/stats.ts'
import { talRoutes } from './routes/tal.ts'
import { talEnrichRoutes } from './routes/tal-enrich.ts'
import { talSheetRoutes } from './routes/tal-sheets.ts'
import { taskRoutes } from './routes/tasks.ts'
import { usageRoutes } from './routes/usage.ts'
import { warehouseRoutes } from './routes/warehouse.ts'
import { warehouseBackfillRoutes } from './routes/warehouse-backfills.ts'
import { warehouseBudgetRoutes } from './routes/warehouse-budget.ts'
import { warehouseQueryRoutes } from './routes/warehouse-query.ts'
import { warehouseTrustRoutes } from './routes/warehouse-trust.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { compileSerializer } from './serialization.ts'
import { BODY_LIMIT, refuseMalformed, refuseUnsupported, serverOptions } from './server.ts'
import { compileValidator } from './validation.ts'

/** Creates the HTTP application. Hooks run in registration order. */
export async function createApp(deps: AppDeps): Promise<App> {
  const app: App = fastify({
    ...serverOptions,
    bodyLimit: BODY_LIMIT,
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: createRequestLog(deps.requestLogLevel),
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: deps.trustedProxies,
    clientErrorHandler: refuseMalformed,
    frameworkErrors: sendProblem,
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.setErrorHandler(sendProblem)
  refuseUnsupported(app.server)
  checkHost(app, deps)
  echoRequestId(app)
  parseJson(app)
  refuseUnknownRoutes(app)
  measure(app, deps.metrics)
  if (deps.traces) traceRequests(app)
  acceptLenientInput(app)
  refuseUnknownParameters(app)
  documentErrors(app)
  await openApi(app)
  await serveConsole(app, deps.consoleFolder, deps.singleSignOn !== undefined)
  await serveGuide(app, deps.guideFolder)

  // Routes that require no API key.
  healthRoutes(app, deps)
  await signInRoutes(app, deps)
  if (deps.singleSignOn) {
    const { singleSignOnRoutes } = await import('./plugins/single-sign-on.ts')
    singleSignOnRoutes(app, { ...deps, singleSignOn: deps.singleSignOn })
  }

  // Routes that require an API key.
  await app.register(async (scope) => {
    const api = scope.withTypeProvider<TypeBoxTypeProvider>()
    sendPrivateHeaders(api)
    requireKey(api, deps)
    hideContacts(api)
    limitRates(api, deps)
    limitConcurrency(api, deps)
    firmRoutes(api, deps)
    companyRoutes(api, deps)
    matchRoutes(api, deps)
    personRoutes(api, deps)
    privacyRoutes(api, deps)
    talRoutes(api, deps)
    talSheetRoutes(api, deps)
    statsRoutes(api, deps)
    enrichRoutes(api, deps)
    quoteRoutes(api, deps)
    talEnrichRoutes(api, deps)
    taskRoutes(api, deps)
    eventRoutes(api, deps)
    usageRoutes(api, deps)
    webhookRoutes(api, deps)
    keyRoutes(api, deps)
    clientRoutes(api, deps)
    sessionRoutes(api, deps)
    auditRoutes(api, deps)
    settingRoutes(api, deps.settings)
    if (deps.warehouse) {
      warehouseRoutes(api, deps, deps.warehouse)
      warehouseQueryRoutes(api, deps.warehouse)
      warehouseTrustRoutes(api, deps.warehouse)
      warehouseBackfillRoutes(api, deps, deps.warehouse)
      warehouseBudgetRoutes(api, deps, deps.warehouse)
    }
  })
  return app
}
