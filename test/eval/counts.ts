export type Outcome = 'right' | 'wrong' | 'missing' | 'invented'

/** Counts of correct, wrong, missing and invented answers. */
export class Counts {
  right = 0
  wrong = 0
  missing = 0
  invented = 0

  add(outcome: Outcome): void {
    this[outcome]++
  }

  plus(other: Counts): Counts {
    const sum = new Counts()
    for (const outcome of ['right', 'wrong', 'missing', 'invented'] as const)
      sum[outcome] = this[outcome] + other[outcome]
    return sum
  }

  /** Share of answers that are correct; 1 if there are no answers. */
  get precision(): number {
    const found = this.right + this.wrong + this.invented
    return found === 0 ? 1 : this.right / found
  }

  /** Share of facts that were found; 1 if there are no facts. */
  get recall(): number {
    const there = this.right + this.wrong + this.missing
    return there === 0 ? 1 : this.right / there
  }

  get f1(): number {
    const { precision, recall } = this
    return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  }
}
