import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Operation {
  operationId?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; required?: boolean; schema: { pattern?: string } }[]
  requestBody?: { required?: boolean; content?: Record<string, unknown> }
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; responses: Record<string, { content?: Record<string, unknown> }> }
  webhooks: object
}

/** Validates responses against an OpenAPI document. */
export interface Contract {
  /** Throws unless the status is documented and the body matches its schema. Undocumented paths are ignored. */
  check(method: string, path: string, status: number, body: unknown): void
}

export function readContract(document: OpenApiDocument): Contract {
  const ajv = (addFormats as unknown as (ajv: Ajv2020) => Ajv2020)(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema(document, 'openapi')
  const paths = Object.keys(document.paths).map((template) => ({ template, pattern: patternOf(template) }))
  const validators = new Map<string, ValidateFunction>()
  return {
    check(method, path, status, body) {
      const place = path.split('?', 1)[0] as string
      const template = paths.find(({ pattern }) => pattern.test(place))?.template
      const operation = template && document.paths[template]?.[method.toLowerCase()]
      if (!operation) return
      const shared = operation.responses[status]?.$ref?.split('/').at(-1)
      const response = shared ? document.components.responses[shared] : operation.responses[status]
      if (!response) throw new Error(`${method} ${template} replied with the undocumented status ${status}`)
      if (!response.content?.['application/json']) return
      const pointer = [
        ...(shared
          ? ['components', 'responses', shared]
          : ['paths', template, method.toLowerCase(), 'responses', String(status)]),
        'content',
        'application/json',
        'schema',
      ]
      const ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
      const validate = validators.get(ref) ?? ajv.compile({ $ref: ref })
      validators.set(ref, validate)
      if (!validate(body))
        throw new Error(
          `${method} ${template} replied ${status} against its contract: ${ajv.errorsText(validate.errors)}`,
        )
    },
  }
}

/**
 * Converts a path template to a pattern. Literal paths come before templates, as in the router: `/v2/companies` is not
 * `/v2/{anything}`.
 */
function patternOf(template: string): RegExp {
  const parts = template.split('/').map((part) => (part.startsWith('{') ? '[^/]+' : RegExp.escape(part)))
  return new RegExp(`^${parts.join('/')}$`)
}
