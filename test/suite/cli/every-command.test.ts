import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/command-line.ts'
import type { Definition, Parameter } from '../../../src/cli/support/definition.ts'
import { parseCommandLine } from '../../../src/cli/support/parse-command-line.ts'
import { AppError } from '../../../src/lib/errors.ts'
import { forEachConcurrent } from '../../../src/lib/for-each-concurrent.ts'

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')

const commands = COMMANDS.flatMap((entry) =>
  'commands' in entry
    ? entry.commands.map((definition) => ({ path: [entry.name, definition.name], definition }))
    : [{ path: [entry.name], definition: entry as Definition }],
)

const valid = ({ type, choices, min = 1 }: Parameter): string =>
  choices?.[0] ?? (type === 'string' ? 'x' : type === 'boolean' ? 'true' : String(Math.max(1, min)))

/** Returns values that the parameter must reject. */
function invalid({ type, choices, min, max }: Parameter): string[] {
  if (choices) return ['nonsense']
  switch (type) {
    case 'boolean':
      return ['maybe']
    case 'number':
      return ['abc', '1e3', '0x10', '-1']
    case 'integer':
      return ['abc', '1.5', '1e3', '0x10', String((min ?? 1) - 1), String((max ?? 2 ** 31 - 1) + 1)]
    case 'string':
      return []
  }
}

/** Builds a valid command line, to which each case adds one error. */
const validWords = (path: string[], { positionals }: Definition): string[] => [
  ...path,
  ...Object.values(positionals)
    .filter(({ required }) => required)
    .map(valid),
]

function wrongCommandLines(path: string[], definition: Definition): string[][] {
  const { positionals, options } = definition
  const words = validWords(path, definition)
  const required = Object.values(positionals).filter((each) => each.required)
  const isVariadic = Object.values(positionals).some(({ array }) => array)
  return [
    [...words, '--bogus'],
    [...words, '--bogus=1'],
    [...words, '-x'],
    ...(isVariadic ? [] : [[...path, ...Object.values(positionals).map(valid), 'unexpected']]),
    ...required.map((_, index) => words.slice(0, path.length + index)),
    ...Object.values(positionals).flatMap((parameter, index) =>
      invalid(parameter).map((value) => [
        ...words.slice(0, path.length + index),
        value,
        ...words.slice(path.length + index + 1),
      ]),
    ),
    ...Object.entries(options).flatMap(([name, option]) => [
      ...invalid(option).map((value) => [...words, `--${name}=${value}`]),
      ...(option.type === 'boolean'
        ? []
        : [
            [...words, `--${name}`],
            [...words, `--${name}`, ''],
            [...words, `--${name}=`],
          ]),
      ...(option.array ? [] : [[...words, `--${name}=${valid(option)}`, `--${name}=${valid(option)}`]]),
    ]),
  ]
}

const cases = commands.flatMap(({ path, definition }) => wrongCommandLines(path, definition))

describe('every command', () => {
  it('every command accepts its required arguments', () => {
    for (const { path, definition } of commands)
      expect(parseCommandLine(COMMANDS, validWords(path, definition))).toMatchObject({ kind: 'run', path })
  })

  it('every command parses the examples in its help', () => {
    for (const { path, definition } of commands)
      for (const [line] of definition.examples)
        expect(parseCommandLine(COMMANDS, line.replaceAll(/"[^"]*"/g, 'x').split(' '))).toMatchObject({
          kind: 'run',
          path,
        })
  })

  it.each(cases.map((words) => [words.join(' '), words]))('rejects the command line: %s', (_, words) => {
    let error: unknown
    try {
      parseCommandLine(COMMANDS, words as string[])
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(AppError)
    const [sentence, hint, ...rest] = (error as AppError).message.split('\n')
    expect(error).toMatchObject({ code: 'invalid_request' })
    expect(sentence).toMatch(/^\S.*[.?]$/)
    expect(hint).toMatch(/^Run "talhouse [a-z -]*--help" for usage\.$/)
    expect(rest).toEqual([])
  })

  it('every command exits with 2 for a usage error before it connects to a database or the service', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = {
      ...process.env,
      TALHOUSE_SERVICE_DATABASE_URL: `postgres://x:x@${address}/x`,
      TALHOUSE_WAREHOUSE_DATABASE_URL: `postgres://x:x@${address}/x`,
      TALHOUSE_SERVICE_BASE_URL: `http://${address}`,
      TALHOUSE_SERVICE_API_KEY: 'key',
    }
    await forEachConcurrent(commands, 4, new AbortController().signal, async ({ path, definition }) => {
      const words = [...validWords(path, definition), '--bogus']
      const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      expect({ code, out, err }).toEqual({
        code: 2,
        out: '',
        err: `talhouse: Unknown option --bogus.\nRun "talhouse ${path.join(' ')} --help" for usage.\n`,
      })
    })
    server.close()
    expect(connections).toBe(0)
  })
})
