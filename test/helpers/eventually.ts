import { setTimeout as wait } from 'node:timers/promises'

/** Polls until the condition holds; fails with its description. */
export async function eventually<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | null | false>,
  withinSeconds = 120,
): Promise<Answer> {
  const deadline = Date.now() + withinSeconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinSeconds} s`)
    await wait(20)
  }
}
