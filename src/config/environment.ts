import type { TSchema } from 'typebox'
import { Config, Secrets } from './schema.ts'

export type Environment = Record<string, string | undefined>

const PREFIX = 'TALHOUSE_'
/** Variables that are not settings: the path of the settings file, and variables used by tests. */
const NOT_SETTINGS = /^TALHOUSE_(CONFIG$|TEST_)/

/** A setting's path and value, a secret, or the name of a variable that is not a setting. */
type Variable = { path: string[]; value: unknown } | { secret: string; value: string } | { unknown: string }

/** Reads the variables that start with TALHOUSE_. */
export function readEnvironment(env: Environment): Variable[] {
  return Object.entries(env).flatMap(([name, text]): Variable[] => {
    if (!name.startsWith(PREFIX) || NOT_SETTINGS.test(name) || text === undefined) return []
    const key = name.slice(PREFIX.length).toLowerCase()
    if (key in Secrets.properties) return [{ secret: key, value: text }]
    const path = settingPath(Config, key)
    return [path ? { path, value: fromText(path, text) } : { unknown: name }]
  })
}

/** The environment variable of a setting. */
export const variableOf = (path: readonly string[]): string => `${PREFIX}${path.join('_').toUpperCase()}`

/** Uses the schema to resolve `http_port` to ['http', 'port'], because names can also contain underscores. */
function settingPath(schema: TSchema, key: string): string[] | undefined {
  const settings = (schema as { properties?: Record<string, TSchema> }).properties ?? {}
  for (const [name, inner] of Object.entries(settings)) {
    if (key === name) return 'properties' in inner ? undefined : [name]
    const rest = key.startsWith(`${name}_`) ? settingPath(inner, key.slice(name.length + 1)) : undefined
    if (rest) return [name, ...rest]
  }
  return undefined
}

function schemaAt(path: string[]): TSchema {
  return path.reduce<TSchema>(
    (schema, name) => (schema as unknown as { properties: Record<string, TSchema> }).properties[name] as TSchema,
    Config,
  )
}

/**
 * Converts an environment variable according to its setting's schema. Lists are written as `a,b` and records as
 * `name=1,other=2`.
 */
function fromText(path: string[], text: string): unknown {
  const { type, items } = schemaAt(path) as { type?: string; items?: { type?: string } }
  if (type === 'integer' || type === 'number')
    return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'array')
    return text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
      .map((item) => (items?.type === 'integer' && item !== '' && !Number.isNaN(Number(item)) ? Number(item) : item))
  if (type === 'object')
    return Object.fromEntries(
      text
        .split(',')
        .map((pair) => pair.split('=').map((part) => part.trim()))
        .filter(([name]) => name)
        .map(([name, value = '']) => [name, value === '' || Number.isNaN(Number(value)) ? value : Number(value)]),
    )
  return text
}
