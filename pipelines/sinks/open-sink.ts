import { fileURLToPath } from 'node:url'
import { AppError } from '../../src/lib/errors.ts'
import { directorySink } from './directory.ts'
import type { Sink } from './sink.ts'

export interface SinkSettings {
  /** `file:///folder` or `s3://bucket/prefix`. */
  url: string
  /** Endpoint of an S3-compatible store other than AWS. */
  endpoint?: string | undefined
  region?: string | undefined
}

/** Opens the sink defined by the settings. */
export async function openSink({ url, endpoint, region }: SinkSettings): Promise<Sink> {
  const { protocol, host, pathname } = new URL(url)
  if (protocol === 'file:') return directorySink(fileURLToPath(url))
  if (protocol === 's3:' && host !== '') {
    const { s3Sink } = await import('./s3.ts') // imported on demand, because loading the module takes a second
    return s3Sink({ bucket: host, prefix: pathname.replace(/^\/+|\/+$/g, ''), endpoint, region })
  }
  throw new AppError(
    'configuration',
    `Snapshots cannot be stored in ${url}. Set TALHOUSE_SNAPSHOT_URL to file:///folder or s3://bucket/prefix.`,
  )
}
