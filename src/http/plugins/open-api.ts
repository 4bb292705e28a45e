import { fastifySwagger } from '@fastify/swagger'
import { fastifySwaggerUi } from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import { withOptionalDefaults } from '../../contract/optional-defaults.ts'
import { WebhookEvent } from '../../contract/webhooks.ts'
import type { App } from '../deps.ts'
import { OPTIONAL_BODY, shareComponents } from './openapi-components.ts'

const DESCRIPTION = `Company and person enrichment, target account lists, and the firm query.

Authenticate with the \`X-Api-Key\` header. Reads are free. Enrichment costs units and runs as an asynchronous task. All errors share
one response body, whose \`detail\` says what to do.`

const TAGS = {
  companies: 'Company records: lookup, search, people and history. Free.',
  persons: 'Person records: lookup, search, history and erasure. Free.',
  privacy: 'Erasure by any identifier, and the feed of erasures. Free.',
  enrichment: 'Paid requests that refresh companies and persons. Each returns a task.',
  tasks: 'Status and results of enrichment.',
  'target account lists': 'The companies a client tracks.',
  firms: 'Investment advisers from Form ADV, with field selection, filters and sorting.',
  usage: 'Units and plan of the caller.',
  stats: 'Record counts.',
  webhooks: 'Signing secrets and deliveries of task notifications.',
  keys: 'API keys of the client.',
  clients: 'All clients of the service, their plans and units, for operators.',
  sessions: 'Browser sessions of the console, and the caller of a request.',
  warehouse: "Runs, freshness and quality of this installation's warehouse.",
  health: 'Health checks for load balancers. No API key required.',
}

const WEBHOOKS = {
  taskEnded: {
    post: {
      operationId: 'taskEnded',
      tags: ['webhooks'],
      summary: 'A task ended',
      description:
        'The service sends the event to `callback_url` with Standard Webhooks headers (webhook-id, webhook-timestamp, webhook-signature). Respond with 2xx within 15 seconds; other responses are retried for three days.',
      security: [],
      requestBody: { required: true, content: { 'application/json': { schema: WebhookEvent } } },
      responses: { '204': { description: 'Received' }, '410': { description: 'Disable the URL' } },
    },
  },
}

/** Serves the OpenAPI document, generated from the route schemas, at /openapi.json, and its viewer at /docs. */
export async function openApi(app: App): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'talhouse',
        version: '2',
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      webhooks: WEBHOOKS as never,
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', name: 'X-Api-Key', in: 'header' },
          session: {
            type: 'apiKey',
            name: 'talhouse_session',
            in: 'cookie',
            description: 'Session cookie, set by `POST /v2/sessions`.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      schema: schema && { ...relaxRequests(schema), ...(route.config?.optionalBody && { [OPTIONAL_BODY]: true }) },
      url,
    }),
    transformObject: (document) =>
      ('openapiObject' in document ? shareComponents(document.openapiObject as never) : document) as never,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `schema-${index}`) },
  })
  await app.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: true, transformStaticCSP: allowSelfOnly })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

/**
 * A content security policy that allows no external hosts and also works over plain HTTP. The viewer needs inline
 * styles.
 */
function allowSelfOnly(policy: string): string {
  return policy
    .replaceAll(' https:', '')
    .replace(' validator.swagger.io', '')
    .replace(' upgrade-insecure-requests;', '')
    .replace(/style-src 'self'[^;]*/, "style-src 'self' 'unsafe-inline'")
}

function relaxRequests(schema: FastifySchema): FastifySchema {
  const { querystring, body } = schema as { querystring?: object; body?: object }
  const relaxed = {
    ...(querystring && { querystring: withOptionalDefaults(querystring) }),
    ...(body && { body: withOptionalDefaults(body) }),
  }
  return { ...schema, ...relaxed }
}
