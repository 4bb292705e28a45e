import { defineConfig } from 'vitest/config'

/** Tests that are too long or too heavy for `npm test`: whole matrices and measurements, one at a time. `npm run long
 * -- test/chaos/...` */
export default defineConfig({
  test: {
    include: ['test/{bench,chaos}/**/*.long.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
})
