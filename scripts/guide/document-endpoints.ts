import { createApp } from '../../src/http/app.ts'
import type { AppDeps } from '../../src/http/deps.ts'
import { silentLog } from '../../src/lib/logger.ts'

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly { apiKey?: readonly string[] }[]
}

/** Documents the operations of the API as Markdown, from the OpenAPI document. */
export async function documentEndpoints(): Promise<string> {
  // The document comes from the routes' schemas; no request is handled, so no database is needed.
  const deps = { log: silentLog, metrics: {}, settings: [], warehouse: {}, trustedProxies: () => false }
  const app = await createApp(deps as unknown as AppDeps)
  await app.ready()
  const { paths = {} } = app.swagger() as { paths?: Record<string, Record<string, Operation>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, call: `${method.toUpperCase()} ${path}` })),
  )
  const sections = [...Map.groupBy(operations, ({ tags = [] }) => tags[0] ?? 'other')].map(([tag, found]) => {
    const rows = found.map(({ call, summary = '', description = '', security = [] }) => {
      const scopes = security.flatMap(({ apiKey = [] }) => apiKey).join(', ')
      return `| \`${call}\` | ${scopes} | ${inCell(`${summary}. ${description}`)} |`
    })
    return [`## ${capitalize(tag)}\n`, '| operation | scope | meaning |', '|---|---|---|', ...rows, ''].join('\n')
  })
  return `# Endpoints

All operations with the scope that their key needs. A running service shows each with its fields and examples at \`/docs\`, and publishes the
OpenAPI document at \`/openapi.json\`. [The API](api.md) describes the conventions.

${sections.join('\n')}`
}

const inCell = (text: string): string =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim()

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
