import type { App } from '../../src/http/deps.ts'
import type { Contract, OpenApiDocument } from './contract.ts'
import { readContract } from './contract.ts'
import type { OperationsDocument } from './contract-elements.ts'
import { dereference } from './dereference.ts'

/** A service's OpenAPI document. */
export interface PublishedContract {
  /** The document, with references resolved. */
  document: OpenApiDocument & OperationsDocument
  /** Validates responses against the document. */
  contract: Contract
}

const known = new Map<string, PublishedContract>()

/** Reads the document that the service publishes. Services with equal documents share the compiled validators. */
export function publishedContract(app: App): PublishedContract {
  const published = app.swagger() as unknown as PublishedContract['document']
  const text = JSON.stringify(published)
  const read = known.get(text) ?? { document: dereference(published), contract: readContract(published) }
  known.set(text, read)
  return read
}
