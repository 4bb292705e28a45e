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

describe('usage errors exit with 2 and one sentence', () => {
  it.each([
    [
      'a limit in words',
      ['runs', 'list', '--limit', 'abc'],
      '--limit must be an integer from 1 to 2147483647, not "abc".',
    ],
    ['a limit below one', ['units', 'ledger', 'main', '--limit', '-1'], '--limit must be an integer from 1'],
    ['a fraction', ['runs', 'show', '1.5'], 'id must be an integer'],
    ['a number out of range', ['runs', 'show', '99999999999999999999'], 'id must be an integer'],
    ['units in words', ['units', 'grant', 'main', 'abc'], 'units must be an integer'],
    ['a port out of range', ['demo', '--port', '99999999'], '--port must be an integer from 0 to 65535'],
    ['an impossible date', ['backfill', 'plan', 'history', '--from', '2026-02-30'], '--from is missing or not a date'],
    ['a misspelled command', ['statu'], 'Unknown command "statu". Did you mean "status"?'],
    ['a misspelled command with --help', ['statu', '--help'], 'Unknown command "statu". Did you mean "status"?'],
    ['an unknown subcommand with --help', ['analyst', 'create', '--help'], 'Unknown command "create".'],
    ['a command with swapped letters', ['urn'], 'Unknown command "urn". Did you mean "run"?'],
    ['a misspelled option', ['tal', 'enrich', '--drry-run'], 'Unknown option --drry-run. Did you mean --dry-run?'],
  ])('exits with 2 and one sentence for the usage error: %s', async (_, args, text) => {
    const { code, err, out } = await talhouse.run(...args)
    expect(err).toMatch(/^talhouse: /)
    expect(err).toContain(text)
    expect(err).not.toMatch(/\n {4}at /)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })
})
