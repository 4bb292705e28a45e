import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Call, OperationsDocument } from './contract-elements.ts'
import { elementsOfCall, keyOf } from './contract-elements.ts'

/** What one call of one test has shown. */
export interface LoggedCall {
  file: string
  test: string
  elements: string[]
}

/** Notes which parts of the contract a test has used, where `npm run generate -- coverage` asks for it. */
export function logCall(document: OperationsDocument, call: Call): void {
  const file = process.env['TALHOUSE_TEST_CALLS']
  const { testPath, currentTestName } = expect.getState()
  if (!file || !testPath || !currentTestName) return
  const elements = elementsOfCall(document, call).map(keyOf)
  appendFileSync(file, `${JSON.stringify({ file: testPath, test: currentTestName, elements } satisfies LoggedCall)}\n`)
}
