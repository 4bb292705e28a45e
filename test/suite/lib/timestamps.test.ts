import { describe, expect, it } from 'vitest'
import { parseTimestamp } from '../../../src/lib/timestamps.ts'

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-21T01:02:03.456789Z', '2026-11-21T01:02:03.456789Z'],
    ['2026-11-21T01:02:03.4567899Z', '2026-11-21T01:02:03.456789Z'],
    ['2026-11-21T01:02:03.5+02:00', '2026-11-20T23:02:03.500000Z'],
    ['2026-11-21T01:02:03 02:00'.replace(' ', '+'), '2026-11-20T23:02:03.000000Z'],
    ['2026-11-21 01:02', '2026-11-21T01:02:00.000000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000000Z'],
  ])('parses the timestamp %s as %s, truncated to microseconds', (text, moment) => {
    expect(parseTimestamp(text)).toBe(moment)
  })

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-11-21T25:00:00Z',
    '2026-11-21T01:02:03+99:00',
    '1732147200',
    '0000-01-01T00:00:00+01:00',
  ])('refuses %j as a timestamp', (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })
})
