import { mulberry32 } from '../../src/demo/seeded-random.ts'

export interface SeededRandom {
  random(): number
  pick<T>(list: readonly T[]): T
}

export function createRandom(seed: number): SeededRandom {
  const random = mulberry32(seed)
  return { random, pick: (list) => list[Math.floor(random() * list.length)] as never }
}
