import type { Calibration } from '../../src/enrichment/people/models/calibration.ts'
import { logOdds } from '../../src/enrichment/people/models/calibration.ts'

export interface Answer {
  /** The model's probability. */
  probability: number
  right: boolean
}

const STEPS = 30

/** Fits a logistic curve to the answers by Newton's method. */
export function fitCalibration(answers: readonly Answer[]): Calibration {
  let [slope, offset] = [1, 0]
  for (let step = 0; step < STEPS; step++) {
    let [byOffset, bySlope, offsets, both, slopes] = [0, 0, 1e-6, 0, 1e-6]
    for (const { probability, right } of answers) {
      const odds = logOdds(probability)
      const p = 1 / (1 + Math.exp(-(slope * odds + offset)))
      const error = Number(right) - p
      byOffset += error
      bySlope += error * odds
      offsets += p * (1 - p)
      both += p * (1 - p) * odds
      slopes += p * (1 - p) * odds ** 2
    }
    const determinant = offsets * slopes - both ** 2
    offset += (byOffset * slopes - bySlope * both) / determinant
    slope += (bySlope * offsets - byOffset * both) / determinant
  }
  return { slope: Number(slope.toPrecision(4)), offset: Number(offset.toPrecision(4)) }
}
