import { fastifySwagger } from '@fastify/swagger'
import { fastifySwaggerUi } from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import type { App } from '../deps.ts'

const DESCRIPTION = `Company and person enrichment, target account lists, and the firm query.

Authenticate with the \`X-Api-Key\` header. Reads are free. Enrichment costs units and runs as an asynchronous task. All errors share
one response body, whose \`detail\` says what to do.`

/** Serves the OpenAPI document, generated from the route schemas, at /openapi.json and its viewer at /docs. */
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
      components: { securitySchemes: { apiKey: { type: 'apiKey', name: 'X-Api-Key', in: 'header' } } },
    },
    transform: ({ schema, url }) => ({ schema: schema && relaxRequests(schema), url }),
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `schema-${index}`) },
  })
  await app.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: true, transformStaticCSP: allowSelfOnly })
  // `talhouse up` prints the base URL.
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'))
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

/** A content security policy without external hosts that also works over plain HTTP. The viewer needs inline styles. */
function allowSelfOnly(policy: string): string {
  return policy
    .replaceAll(' https:', '')
    .replace(' validator.swagger.io', '')
    .replace(' upgrade-insecure-requests;', '')
    .replace(/style-src 'self'[^;]*/, "style-src 'self' 'unsafe-inline'")
}

interface ObjectSchema {
  properties?: Record<string, { default?: unknown }>
  required?: string[]
}

/** Fields with a default are optional in requests, although TypeBox lists them as required. */
function relaxRequests(schema: FastifySchema): FastifySchema {
  const { querystring, body } = schema as { querystring?: ObjectSchema; body?: ObjectSchema }
  const relaxed = { ...(querystring && { querystring: relax(querystring) }), ...(body && { body: relax(body) }) }
  return { ...schema, ...relaxed }
}

function relax({ required, ...schema }: ObjectSchema): ObjectSchema {
  const needed = (required ?? []).filter((name) => schema.properties?.[name]?.default === undefined)
  return needed.length > 0 ? { ...schema, required: needed } : schema
}
