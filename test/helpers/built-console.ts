import { buildConsole } from '../../scripts/build-console.ts'

/** The folder of the console, built if its sources have changed. */
export const BUILT_CONSOLE: Promise<string> = buildConsole()
