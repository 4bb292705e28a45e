import { expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'

it('logs the reason of an error given as text', () => {
  const lines: string[] = []
  createLogger('info', { write: (line) => void lines.push(line) }).warn({ err: 'connection refused' }, 'attempt failed')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'attempt failed', err: { message: 'connection refused' } })
})
