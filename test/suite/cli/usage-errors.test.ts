import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandLine } from '../../helpers/command-line.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
let talhouse: CommandLine
beforeAll(async () => {
  service = await startService()
  talhouse = await openCommandLine(service)
})
afterAll(async () => {
  await talhouse[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

describe('a command line that is wrong ends with 2 and says why, once', () => {
  it.each([
    ['a limit in words', ['runs', 'list', '--limit', 'abc'], '--limit takes a whole number from 1 to 2147483647.'],
    ['a limit below one', ['units', 'ledger', 'main', '--limit', '-1'], '--limit takes a whole number from 1'],
    ['a part of a number', ['runs', 'show', '1.5'], 'id takes a whole number'],
    ['a number that is too large', ['runs', 'show', '99999999999999999999'], 'id takes a whole number'],
    ['units in words', ['units', 'grant', 'main', 'abc'], 'units is a whole number, and not 0'],
    ['a port that is none', ['demo', '--port', '99999999'], '--port takes a whole number from 0 to 65535.'],
    ['a day that there is not', ['backfill', 'plan', 'history', '--from', '2026-02-30'], 'Say from when'],
  ])('%s', async (_, args, text) => {
    const { code, err } = await talhouse.run(...args)
    expect(err).toMatch(/^talhouse: /)
    expect(err).toContain(text)
    expect(err).not.toMatch(/\n {4}at /)
    expect(code).toBe(2)
  })

  it('a misspelt command: what is unknown, what it may have been, and the help a single time', async () => {
    const { code, err } = await talhouse.run('statu')
    expect(err).toMatch(/^talhouse: .*Unknown argument: statu/)
    expect(err).toContain('Did you mean status?')
    expect(err.split('Commands:')).toHaveLength(2)
    expect(code).toBe(2)
  })
})
