import { readFileSync } from 'node:fs'
import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'
import type { Issue } from '../lib/errors.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import type { Environment } from './environment.ts'
import { readEnvironment, variableOf } from './environment.ts'
import { Config } from './schema.ts'

const DEFAULTS = new URL('../../config/talhouse.yaml', import.meta.url)

/** Merges the defaults, the file in `TALHOUSE_CONFIG` and the environment, in increasing precedence. */
export function loadConfig(env: Environment = process.env): Config {
  const settings = merge(readYaml(DEFAULTS), readSettingsFile(env))
  const secrets: Record<string, string> = {}
  const issues: Issue[] = []
  for (const variable of readEnvironment(env)) {
    if ('path' in variable) set(settings, variable.path, variable.value)
    else if ('secret' in variable) secrets[variable.secret] = variable.value
    else issues.push({ path: variable.unknown, message: 'is not a setting (see config/talhouse.yaml)' })
  }
  for (const error of Value.Errors(Config, settings)) issues.push(asIssue(error, settings))
  if (issues.length > 0) {
    const lines = issues.map((issue) => `${issue.path} ${issue.message}`)
    throw new AppError('configuration', `Invalid settings:\n  ${lines.join('\n  ')}`, { issues })
  }
  return deepFreeze({ ...(settings as Static<typeof Config>), secrets })
}

type Tree = { [key: string]: unknown }

function readSettingsFile({ TALHOUSE_CONFIG: file }: Environment): Tree {
  return file ? readYaml(file) : {}
}

function readYaml(file: string | URL): Tree {
  try {
    return (parse(readFileSync(file, 'utf8')) as Tree | null) ?? {}
  } catch (error) {
    throw new AppError('configuration', `Cannot read the settings file ${String(file)}: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function merge(base: Tree, over: Tree): Tree {
  const merged = { ...base }
  for (const [key, value] of Object.entries(over))
    merged[key] = isTree(value) && isTree(base[key]) ? merge(base[key], value) : value
  return merged
}

function set(settings: Tree, path: string[], value: unknown): void {
  const last = path.at(-1) as string
  const parent = path.slice(0, -1).reduce<Tree>((tree, name) => tree[name] as Tree, settings)
  parent[last] = value
}

/** Returns a function that finds the source of a setting's value. Reads the settings file once. */
export function settingSources(
  env: Environment = process.env,
): (path: readonly string[]) => 'default' | 'file' | 'environment' {
  const settings = readSettingsFile(env)
  return (path) => {
    if (env[variableOf(path)] !== undefined) return 'environment'
    const inFile = path.reduce<unknown>((tree, name) => (isTree(tree) ? tree[name] : undefined), settings)
    return inFile === undefined ? 'default' : 'file'
  }
}

function asIssue(
  error: { instancePath: string; message: string; keyword: string; params: unknown },
  settings: Tree,
): Issue {
  const path = error.instancePath.slice(1).split('/').filter(Boolean)
  const { additionalProperties, allowedValues, pattern } = error.params as {
    additionalProperties?: string[]
    allowedValues?: string[]
    pattern?: unknown
  }
  if (additionalProperties)
    return {
      path: [...path, additionalProperties[0]].join('.'),
      message: 'is not a setting (see config/talhouse.yaml)',
    }
  const value = path.reduce<unknown>((tree, name) => (isTree(tree) ? tree[name] : undefined), settings)
  const rule = allowedValues
    ? `must be one of ${allowedValues.join(', ')}`
    : pattern
      ? `must match ${String(pattern)}`
      : error.message
  return {
    path: `${path.join('.')} (${variableOf(path)})`,
    message: `is ${JSON.stringify(value)} but ${rule}`,
  }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
  return Object.freeze(value)
}
