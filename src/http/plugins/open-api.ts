import { fastifySwagger } from '@fastify/swagger'
import { fastifySwaggerUi } from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import type { App } from '../deps.ts'

const DESCRIPTION = `Company and person enrichment, target account lists, and the firm query.

Send your API key in the header \`X-Api-Key\`. Reads are free; enrichment costs units and runs as a task. Every error reply has
the same body, whose \`detail\` says what to do.`

/** The OpenAPI document at /openapi.json, made of the routes' own schemas, and a page to read it at /docs. */
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
  // The address that `talhouse up` prints, opened in a browser.
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'))
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

/** The page asks nobody else, and works where there is no TLS. It styles its own parts inline; scripts stay in files. */
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

/** What has a default need not be sent: types know it as there, the document must not ask for it. */
function relaxRequests(schema: FastifySchema): FastifySchema {
  const { querystring, body } = schema as { querystring?: ObjectSchema; body?: ObjectSchema }
  const relaxed = { ...(querystring && { querystring: relax(querystring) }), ...(body && { body: relax(body) }) }
  return { ...schema, ...relaxed }
}

function relax({ required, ...schema }: ObjectSchema): ObjectSchema {
  const needed = (required ?? []).filter((name) => schema.properties?.[name]?.default === undefined)
  return needed.length > 0 ? { ...schema, required: needed } : schema
}
