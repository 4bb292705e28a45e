import type { Calibration } from '../../src/enrichment/people/models/calibration.ts'
import { logOdds } from '../../src/enrichment/people/models/calibration.ts'
import { trainLogisticRegression } from '../../test/eval/logistic-regression.ts'

export interface Answer {
  /** The model's probability. */
  probability: number
  right: boolean
}

const ITERATIONS = 200

/** Fits a logistic curve to the answers. */
export function fitCalibration(answers: readonly Answer[]): Calibration {
  const weights = trainLogisticRegression(
    answers.map(({ probability, right }) => ({
      indices: Int32Array.of(0),
      values: Float64Array.of(logOdds(probability)),
      label: right ? 1 : 0,
      weight: 1,
    })),
    { features: 1, classes: 2, l2: 0, iterations: ITERATIONS },
  )
  const [slopeOfWrong = 0, slopeOfRight = 0, wrong = 0, right = 0] = weights
  return {
    slope: Number((slopeOfRight - slopeOfWrong).toPrecision(4)),
    offset: Number((right - wrong).toPrecision(4)),
  }
}
