import type { Browser, BrowserContext } from 'playwright-core'
import type { Pipeline } from '../../pipelines/runner/pipeline.ts'
import type { WarehouseTables } from '../../pipelines/warehouse/tables.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import type { AnsweredService } from './answered-service.ts'
import { startAnsweredService } from './answered-service.ts'
import { launchBrowser } from './browser.ts'
import { BUILT_CONSOLE } from './built-console.ts'
import { signIn } from './console.ts'
import { testDatabase } from './database.ts'
import { testOperations } from './operations.ts'
import type { Bench } from './pipeline.ts'
import { pipelineBench } from './pipeline.ts'

/** The console of a service with a worker and a warehouse whose last nightly run failed. */
export interface ConsoleService extends AsyncDisposable {
  answered: AnsweredService
  warehouse: Postgres<WarehouseTables>
  bench: Bench
  browser: Browser
  /** A browser signed in with all scopes. */
  operator: BrowserContext
  url: string
}

export async function startConsoleService(): Promise<ConsoleService> {
  await using stack = new AsyncDisposableStack()
  const warehouse = await testDatabase<WarehouseTables>('warehouse')
  const answered = stack.use(
    await startAnsweredService({ warehouse: testOperations(warehouse), consoleFolder: await BUILT_CONSOLE }),
  )
  const { url, key } = answered.service
  const bench = stack.use(await pipelineBench(answered.service, { abandoned_after_seconds: 1 }, warehouse))
  await bench.run({ pipeline: failingNight })
  const browser = await launchBrowser()
  stack.defer(() => browser.close())
  const operator = await signIn(browser, url, key)
  const rest = stack.move()
  return {
    answered,
    warehouse,
    bench,
    browser,
    operator,
    url,
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

const failingNight: Pipeline = {
  name: 'nightly',
  run: () => Promise.reject(new Error('the list could not be pulled')),
}
