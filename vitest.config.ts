import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    // A hang fails a test, a busy machine does not: the slowest test takes 25 s on two idle cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Two cores: more workers than that only wait for each other, and for PostgreSQL.
    maxWorkers: 2,
    // A worker keeps its modules for all of its files, which saves a quarter of the processor time. Tests change no global state.
    isolate: false,
  },
})
