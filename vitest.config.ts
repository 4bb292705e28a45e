import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    // Long enough for a busy machine: the slowest test takes 25 s on two idle cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // With two cores, more workers would only wait for each other and for PostgreSQL.
    maxWorkers: 2,
    // A worker keeps its modules for all of its files, which saves a quarter of the CPU time. Tests change no global
    // state.
    isolate: false,
  },
})
