import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openSink } from '../../../pipelines/sinks/open-sink.ts'
import type { Sink } from '../../../pipelines/sinks/sink.ts'
import type { Config } from '../../config.ts'

/** The configured snapshot destination. */
export function sinkOf(config: Config): Promise<Sink> {
  const url = config.snapshot.url || pathToFileURL(resolve(config.data_dir, 'snapshots')).href
  return openSink({ url, endpoint: config.s3.endpoint || undefined, region: config.s3.region || undefined })
}
