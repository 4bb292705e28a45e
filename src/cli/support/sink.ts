import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SnapshotSettings } from '../../../pipelines/runner/pipeline.ts'
import { openSink } from '../../../pipelines/sinks/open-sink.ts'
import type { Sink } from '../../../pipelines/sinks/sink.ts'
import type { Config } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'

/** The snapshot URL. */
export const snapshotUrl = ({ data_dir: dataDir, snapshot }: Config): string =>
  snapshot.url || urlOf(dataDir, 'snapshots')

/** The configured snapshot destination. */
export const sinkOf = (config: Config): Promise<Sink> => sinkAt(config, snapshotUrl(config))

/** The configured backup destination. */
export const backupSinkOf = (config: Config): Promise<Sink> =>
  sinkAt(config, config.backup.url || urlOf(config.data_dir, 'backups'))

const urlOf = (dataDir: string, folder: string): string => pathToFileURL(resolve(dataDir, folder)).href

function sinkAt({ s3 }: Config, url: string): Promise<Sink> {
  return openSink({
    url,
    endpoint: s3.endpoint || undefined,
    region: s3.region || undefined,
  })
}

/** The configured snapshot format. Throws `configuration` if CSV is missing. */
export function snapshotFormat({
  snapshot,
}: Config): Pick<SnapshotSettings, 'partBytes' | 'formats' | 'csvCompression' | 'views'> {
  const { part_mb, formats, csv_compression: csvCompression, views } = snapshot
  if (!formats.includes('csv'))
    throw new AppError(
      'configuration',
      'snapshot.formats (TALHOUSE_SNAPSHOT_FORMATS) must include csv, because comparisons and erasures read it.',
    )
  return { partBytes: part_mb * 1024 * 1024, formats, csvCompression, views }
}
