import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Call, OperationsDocument } from './contract-elements.ts'
import { elementsOfCall, keyOf } from './contract-elements.ts'

/** The contract elements that one call in a test covered. */
export interface LoggedCall {
  file: string
  test: string
  elements: string[]
}

/** Records the contract elements a test covers, for `npm run generate -- coverage`. */
export function logCall(document: OperationsDocument, call: Call): void {
  const file = process.env['TALHOUSE_TEST_CALLS']
  const { testPath, currentTestName } = expect.getState()
  if (!file || !testPath || !currentTestName) return
  const elements = elementsOfCall(document, call).map(keyOf)
  appendFileSync(file, `${JSON.stringify({ file: testPath, test: currentTestName, elements } satisfies LoggedCall)}\n`)
}
