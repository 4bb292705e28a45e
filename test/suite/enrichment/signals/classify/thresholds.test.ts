import { expect, test } from 'vitest'
import { STORY_TYPES } from '../../../../../src/enrichment/signals/classify/model.ts'
import type { JudgedType } from '../../../../eval/signal-thresholds.ts'
import { chooseThresholds } from '../../../../eval/signal-thresholds.ts'

const stories = (count: number, gold: JudgedType['gold'], likeliest: JudgedType['gold'], confidence: number) =>
  Array.from({ length: count }, () => ({ gold, likeliest, confidence }))

test('raises the threshold of the type whose signals are often wrong', () => {
  const thresholds = chooseThresholds(
    [
      ...stories(50, 'Award', 'Award', 0.5),
      ...stories(50, 'Product Launch', 'Product Launch', 0.9),
      ...stories(30, 'none', 'Product Launch', 0.5),
    ],
    0.9,
  )
  expect(thresholds[STORY_TYPES.indexOf('Award')]).toBeLessThanOrEqual(0.5)
  expect(thresholds[STORY_TYPES.indexOf('Product Launch')]).toBeGreaterThan(0.5)
  expect(thresholds[STORY_TYPES.indexOf('none')]).toBe(0)
})

test('throws if no thresholds reach the precision', () => {
  expect(() => chooseThresholds(stories(5, 'none', 'Award', 0.99), 0.9)).toThrow('No thresholds reach')
})
