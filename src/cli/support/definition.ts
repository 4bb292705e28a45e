import type { Command } from './command.ts'
import type { ExitCode } from './exit-codes.ts'

/** A positional argument or an option. It is optional unless `required` or given a default. */
export interface Parameter {
  /** Numbers below `min` or above `max` are rejected. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  readonly describe?: string
  readonly required?: boolean
  /** Accepts several values: repeated, or also separated by commas. */
  readonly array?: true | 'commas'
  readonly choices?: readonly string[]
  readonly default?: string | number | boolean | readonly string[]
  /** @default 1 for integers, 0 for numbers */
  readonly min?: number
  /** @default the largest 32-bit integer */
  readonly max?: number
}

export type Parameters = Readonly<Record<string, Parameter>>

interface Types {
  string: string
  integer: number
  number: number
  boolean: boolean
}
type One<P extends Parameter> = P extends { choices: readonly (infer Choice)[] } ? Choice : Types[P['type']]
type Many<P extends Parameter> = P['array'] extends true | 'commas' ? One<P>[] : One<P>
type Value<P extends Parameter> = P['required'] extends true
  ? Many<P>
  : 'default' extends keyof P
    ? Many<P>
    : Many<P> | undefined

/** The values that a command's parameters are parsed into. */
export type Values<P extends Parameters> = { [Name in keyof P]: Value<P[Name]> }

/** Runs a command. Returning nothing means success. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an exit code has no return statement
export type Handler<Args = object> = (command: Command, args: Args) => Promise<ExitCode | void>

/** One command: all that help and completion need, and how to import what runs. */
export interface Definition {
  readonly name: string
  readonly describe: string
  readonly positionals: Parameters
  readonly options: Parameters
  readonly examples: readonly (readonly [commandLine: string, describe: string])[]
  /** Printed after the options; loaded for help only. */
  readonly epilogue: (() => Promise<string>) | undefined
  /** Imports the implementation. Help and completion do not call it. */
  readonly load: () => Promise<Handler<never>>
}

/** Commands under a common first word, such as `talhouse units ...`. */
export interface Group {
  readonly name: string
  readonly describe: string
  readonly commands: readonly Definition[]
}

type NoParameters = Readonly<Record<never, Parameter>>

/** Defines a command; the handler's arguments are checked against the parameters. */
export function command<const P extends Parameters = NoParameters, const O extends Parameters = NoParameters>(given: {
  name: string
  describe: string
  positionals?: P
  options?: O
  examples?: Definition['examples']
  epilogue?: Definition['epilogue']
  load: () => Promise<Handler<Values<P> & Values<O>>>
}): Definition {
  return { positionals: {}, options: {}, examples: [], epilogue: undefined, ...given }
}
