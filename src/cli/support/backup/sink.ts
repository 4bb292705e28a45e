import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openSink } from '../../../../pipelines/sinks/open-sink.ts'
import type { Sink } from '../../../../pipelines/sinks/sink.ts'
import type { Config } from '../../../config.ts'

/** The configured destination of backups. */
export function backupSink({ backup, data_dir: dataDir, s3 }: Config): Promise<Sink> {
  const url = backup.url || pathToFileURL(resolve(dataDir, 'backups')).href
  return openSink({ url, endpoint: s3.endpoint || undefined, region: s3.region || undefined })
}
