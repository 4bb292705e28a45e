import { fileURLToPath } from 'node:url'
import { AppError } from '../../src/lib/errors.ts'
import { directorySink } from './directory.ts'
import type { Sink } from './sink.ts'

export interface SinkSettings {
  /** `file:///folder` or `s3://bucket/prefix`. */
  url: string
  /** For hosts of S3's protocol other than AWS. */
  endpoint?: string | undefined
  region?: string | undefined
}

/** The sink that the settings name. */
export async function openSink({ url, endpoint, region }: SinkSettings): Promise<Sink> {
  const { protocol, host, pathname } = new URL(url)
  if (protocol === 'file:') return directorySink(fileURLToPath(url))
  if (protocol === 's3:' && host !== '') {
    const { s3Sink } = await import('./s3.ts') // a second of loading that a folder does not need
    return s3Sink({ bucket: host, prefix: pathname.replace(/^\/+|\/+$/g, ''), endpoint, region })
  }
  throw new AppError(
    'configuration',
    `${url} is no place for snapshots: give file:///folder or s3://bucket/prefix in TALHOUSE_SNAPSHOT_URL.`,
  )
}
