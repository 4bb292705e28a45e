import { fastifySwagger } from '@fastify/swagger'
import { fastifySwaggerUi } from '@fastify/swagger-ui'
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
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `schema-${index}`) },
  })
  await app.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: true })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
