import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OpenApiDocument } from '../helpers/contract.ts'
import { startService } from '../helpers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema is walked here, in all of its shapes
type Schema = any

const ROOT = join(import.meta.dirname, '../..')
const EVERY = 'Every operation'
const OK = 200

let document: OpenApiDocument
/** The text of each section, by its heading. */
let sections: Map<string, string>
beforeAll(async () => {
  await using service = await startService()
  document = service.document
  const text = await readFile(join(ROOT, 'docs/api-coverage.md'), 'utf8')
  const parts = text.split(/^## /m).slice(1)
  sections = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part] as const))
})

describe('docs/api-coverage.md', () => {
  it('has every operation of the OpenAPI document, and no other', () => {
    const told = [...sections.keys()].filter((heading) => heading.includes(' /'))
    expect(told.toSorted()).toEqual(
      operations()
        .map(({ name }) => name)
        .toSorted(),
    )
  })

  it('names every parameter, field of a body, field of a reply and status', () => {
    const missing = operations().flatMap(({ name, operation }) => {
      const text = withShared(sections.get(name) ?? '')
      const common = sections.get(EVERY) ?? ''
      const names = namesOf(operation).filter((one) => !text.includes(`\`${one}\``))
      const statuses = Object.keys(operation.responses).filter(
        (status) => Number(status) !== OK && !text.includes(status) && !common.includes(status),
      )
      return [...names, ...statuses].map((one) => `${name}: ${one}`)
    })
    expect(missing).toEqual([])
  })

  it('names tests that are there, by file and title', async () => {
    const rows = [...sections.values()].flatMap((text) => [...text.matchAll(/^\| .* \| `(test\/[^`]+)` \| (.*) \|$/gm)])
    expect(rows.length).toBeGreaterThan(80)
    for (const [, file = '', title = ''] of rows) {
      const source = await readFile(join(ROOT, file), 'utf8')
      const titles = [...source.matchAll(/(?:\bit|\))\(\s*(['"`])(.*?)\1,/g)].map((found) => found[2])
      expect(titles, file).toContain(title)
    }
  })
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation: operation as Schema,
    })),
  )

/** The section, with those that it links to: `[Company](#company)`. */
const withShared = (text: string): string =>
  [text, ...[...text.matchAll(/\[(\w+)\]\(#\w+\)/g)].map(([, heading = '']) => sections.get(heading) ?? '')].join('\n')

/** Parameters, fields of the body, fields of the reply, and fields of the records in its lists. */
function namesOf(operation: Schema): string[] {
  const parameters = (operation.parameters ?? []).map((parameter: Schema) => resolve(parameter).name)
  const body = propertiesOf(operation.requestBody && resolve(operation.requestBody).content['application/json'].schema)
  const reply = propertiesOf(resolve(operation.responses[OK]).content?.['application/json']?.schema)
  const lists = Object.values(reply).filter((schema) => resolve(schema).type === 'array')
  const inLists = lists.flatMap((schema) => Object.keys(propertiesOf(schema)))
  const all = [...parameters, ...Object.keys(body), ...Object.keys(reply), ...inLists]
  return [...new Set<string>(all)]
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  if (!schema) return {}
  const { anyOf = [], oneOf = [], allOf = [], items, properties = {} } = resolve(schema)
  const inner = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])].map(propertiesOf)
  return Object.assign({}, ...inner, properties)
}

function resolve(schema: Schema): Schema {
  if (!schema?.$ref) return schema
  const path = String(schema.$ref).replace('#/', '').split('/')
  return resolve(path.reduce((node: Schema, name) => node[name], document))
}
