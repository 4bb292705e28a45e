import { expect, test } from 'vitest'
import { withoutDateline } from '../../../../../src/enrichment/signals/text/tokens.ts'

test.each([
  'HOUSTON, July 19, 2024 (GLOBE NEWSWIRE) -- ',
  'BOSTON & OSLO–(BUSINESS WIRE)–',
  'Oslo, Norway – 9 July 2025 – ',
  'Reno, NV (Newsroom.example) Tuesday Jul 9, 2025 @ 7:00 AM Central — ',
  'RENO, NV, July 09, 2025 /24-7PressRelease/ -- ',
])('removes the dateline %s', (dateline) => {
  expect(withoutDateline(`${dateline}Quillmark today opened a plant.`)).toBe('Quillmark today opened a plant.')
})

test('keeps a lead that mentions a date later', () => {
  const lead =
    'Quillmark, which opened its first plant near Reno and now employs nine hundred people in eleven states, said that it will close another on July 9, 2025 – the last one.'
  expect(withoutDateline(lead)).toBe(lead)
})
