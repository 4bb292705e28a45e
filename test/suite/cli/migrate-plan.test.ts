import { describe, expect, it } from 'vitest'
import { describePlan } from '../../../src/cli/commands/migrate.ts'

const pending = (...names: string[]) =>
  names.map((name) => ({ name, sql: '', locks: [{ table: 'company', mode: 'AccessExclusiveLock' }] }))

describe('talhouse migrate --plan', () => {
  it('prints each pending migration with its locks, and the oldest version that can run during the upgrade', () => {
    const names = ['0016_notes@0.9.0', '0017_more_notes@0.10.0']
    expect(describePlan({ database: 'service', pending: pending(...names), isNew: false }).split('\n')).toEqual([
      'service: pending migrations, with the locks they take on existing tables:',
      '  0016_notes@0.9.0',
      '    AccessExclusiveLock on company',
      '  0017_more_notes@0.10.0',
      '    AccessExclusiveLock on company',
      '  Processes of talhouse 0.10.0 and newer can run and start during this upgrade.',
    ])
  })

  it('advises stopping all processes if a migration names no version', () => {
    const names = ['0016_notes@0.9.0', '0017_drop_notes']
    expect(describePlan({ database: 'service', pending: pending(...names), isNew: false })).toContain(
      'Stop all processes before this upgrade',
    )
  })

  it('does not mention older versions in the migration plan of a new database', () => {
    const plan = describePlan({ database: 'service', pending: pending('0001_clients'), isNew: true })
    expect(plan).not.toContain('upgrade')
  })
})
