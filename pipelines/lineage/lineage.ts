import { appendFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../src/lib/errors.ts'
import type { Log } from '../../src/lib/logger.ts'
import { send } from '../alerts/post.ts'
import type { LineageReporter } from '../runner/pipeline.ts'
import type { LineageNames } from './run-event.ts'
import { runEvent } from './run-event.ts'

export interface LineageOptions extends LineageNames {
  /** A file to which one JSON document per line is appended, or the URL of an HTTP receiver. */
  url: string
  /** Bearer token of the receiver. */
  apiKey?: string | undefined
  log: Log
}

/**
 * Creates the reporter that sends lineage events. Each event is sent only once. Errors are logged and do not fail the
 * run.
 */
export function createLineage({ url, apiKey, log, ...names }: LineageOptions): LineageReporter {
  const write = async (event: object): Promise<void> => {
    if (url.startsWith('file:')) await appendFile(fileURLToPath(url), `${JSON.stringify(event)}\n`)
    else await send(url, event, apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` })
  }
  return {
    async report(run, parent) {
      try {
        await write(runEvent(run, parent, names))
      } catch (error) {
        log.error({ run: run.id, reason: messageOf(error) }, 'the lineage event was not written')
      }
    },
  }
}
