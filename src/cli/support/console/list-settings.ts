import type { TSchema } from 'typebox'
import { variableOf } from '../../../config/environment.ts'
import { settingSources } from '../../../config/load.ts'
import { Config } from '../../../config/schema.ts'
import type { SettingList } from '../../../contract/settings.ts'

type Settings = SettingList['settings']

/** Lists the effective settings and their sources, without secrets. */
export function listSettings(config: Config): Settings {
  const { secrets } = config
  const sourceOf = settingSources()
  return [
    ...pathsOf(Config).map((path) => ({
      name: path.join('.'),
      variable: variableOf(path),
      value: withoutPassword(
        path.reduce<unknown>((tree, name) => (tree as Record<string, unknown>)[name], config) ?? null,
      ),
      source: sourceOf(path),
    })),
    ...Object.keys(secrets).map((name) => ({
      name,
      variable: variableOf([name]),
      value: null,
      source: 'environment' as const,
    })),
  ]
}

function pathsOf(schema: TSchema): string[][] {
  const { properties = {} } = schema as { properties?: Record<string, TSchema> }
  return Object.entries(properties).flatMap(([name, inner]) =>
    'properties' in inner ? pathsOf(inner).map((path) => [name, ...path]) : [[name]],
  )
}

/** Removes the password from a URL; returns any other value unchanged. */
function withoutPassword(value: unknown): unknown {
  if (typeof value !== 'string' || !URL.canParse(value)) return value
  const url = new URL(value)
  if (url.password === '') return value
  url.password = 'hidden'
  return url.href
}
