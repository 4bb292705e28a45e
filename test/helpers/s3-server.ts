import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '../../src/lib/embedded-postgres/free-port.ts'
import { eventually } from './eventually.ts'
import { startS3StandIn } from './s3-stand-in.ts'

export interface S3Server extends AsyncDisposable {
  name: 'moto' | 'the S3 stand-in of the tests'
  endpoint: string
}

/** The program of the PyPI package `moto[server]`. */
const MOTO = process.env['MOTO_SERVER'] ?? 'moto_server'

/**
 * Starts moto with an empty bucket, or the stand-in if moto is not installed. `MOTO_SERVER` is the path of
 * `moto_server`.
 */
export async function startS3Server(bucket: string): Promise<S3Server> {
  if (spawnSync(MOTO, ['--help'], { stdio: 'ignore' }).status !== 0)
    return { ...(await startS3StandIn()), name: 'the S3 stand-in of the tests' }
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const moto = spawn(MOTO, ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' })
  const exited = once(moto, 'exit')
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const client = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true })
  await eventually('moto accepts requests', async () => (await fetch(endpoint).catch(() => undefined))?.ok, 60)
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return {
    name: 'moto',
    endpoint,
    async [Symbol.asyncDispose]() {
      moto.kill()
      await exited
    },
  }
}
