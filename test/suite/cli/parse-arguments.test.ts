import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/command-line.ts'
import { parseCommandLine } from '../../../src/cli/support/parse-command-line.ts'

const parse = (...words: string[]) => parseCommandLine(COMMANDS, words) as { args: Record<string, unknown> }

describe('options with several values', () => {
  it.each([
    [['backfill', 'plan', 'members', '--members', 'a.example,b.example'], 'members', ['a.example', 'b.example']],
    [
      ['backfill', 'plan', 'members', '--members=a.example', '--members', 'b.example'],
      'members',
      ['a.example', 'b.example'],
    ],
    [['keys', 'create', 'acme', '--scopes', 'read, lists'], 'scopes', ['read', 'lists']],
    [
      ['firms', 'query', '--select', 'crd_number', '--select=region,state'],
      'select',
      ['crd_number', 'region', 'state'],
    ],
  ])('reads options with several values: %j', (words, name, values) => {
    expect(parse(...words).args[name]).toEqual(values)
  })

  it('keeps commas in filter options', () => {
    const filter = 'region=in.(NYRO,CHRO)'
    expect(parse('firms', 'query', '--filter', filter).args['filter']).toEqual([filter])
  })

  it('rejects empty option values and values outside the choices', () => {
    expect(() => parse('backfill', 'plan', 'members', '--members', 'a.example,,b.example')).toThrow(
      '--members contains an empty value.',
    )
    expect(() => parse('keys', 'create', 'acme', '--scopes', 'read,root')).toThrow(
      '--scopes must be one of read, contacts, enrich, lists, webhooks, warehouse, admin, clients, not "root".',
    )
  })
})

it('reads negative numbers as values, and words after -- as arguments', () => {
  expect(parse('units', 'grant', 'acme', '-25').args['units']).toBe(-25)
  expect(parse('tal', 'add', '--json', '--', '--odd', 'b.example').args).toMatchObject({
    json: true,
    domains: ['--odd', 'b.example'],
  })
})
