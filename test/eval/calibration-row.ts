import { calibrationError } from './emails.ts'

export interface Answer {
  confidence: number
  right: boolean
}

export const CALIBRATION_HEADING = ['kind', 'answers', 'stated', 'right', 'calibration error'] as const

/** Returns a row of a calibration table: the mean stated confidence, the share of right answers, and the error. */
export const calibrationRow = (kind: string, answers: readonly Answer[]): string[] => [
  kind,
  String(answers.length),
  mean(answers.map(({ confidence }) => confidence)),
  mean(answers.map(({ right }) => Number(right))),
  calibrationError(answers).toFixed(3),
]

const mean = (numbers: readonly number[]): string =>
  (numbers.reduce((sum, one) => sum + one, 0) / numbers.length).toFixed(3)
