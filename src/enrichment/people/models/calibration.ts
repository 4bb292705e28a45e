/** A logistic curve from a model's log-odds to those of the share of correct answers on unknown sites. */
export interface Calibration {
  slope: number
  offset: number
}

/** Distance from 0 and 1 at which probabilities are cut off. */
const MARGIN = 1e-6

export function logOdds(probability: number): number {
  const p = Math.min(1 - MARGIN, Math.max(MARGIN, probability))
  return Math.log(p / (1 - p))
}

/** Returns the calibrated probability. */
export const calibrate = ({ slope, offset }: Calibration, probability: number): number =>
  1 / (1 + Math.exp(-(slope * logOdds(probability) + offset)))
