import { X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readFile, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../../config/schema.ts'
import { serverAccount } from '../../../lib/embedded-postgres/account.ts'
import { findBinaries } from '../../../lib/embedded-postgres/binaries.ts'
import { messageOf, systemCode } from '../../../lib/errors.ts'
import { localAddress } from '../service-key.ts'
import type { Finding } from './finding.ts'
import { ok, problem, warning } from './finding.ts'

const GIB = 2 ** 30
/** Minimum free space in bytes; with less, an export or an import may fail. */
const LOW_DISK = 2 * GIB
const DAY_MS = 86_400_000

/**
 * Checks the Node version. The package requires Node 22.19 or a later 22.x release, or Node 24 or later
 * (docs/decisions/0001).
 */
export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major >= 24 || (major === 22 && minor >= 19)
  return isSupported ? ok('node', version) : problem('node', version, 'Install Node 24, or Node 22.19 or newer.')
}

/** Checks that the data folder, or the nearest existing folder above it, is writable and has enough free space. */
export async function checkDataFolder(config: Config): Promise<Finding[]> {
  const folder = resolve(config.data_dir)
  const existing = await nearestExisting(folder)
  const writable = await access(existing, constants.W_OK).then(
    () => ok('data folder', folder),
    () => problem('data folder', `${existing} is not writable`, 'Set TALHOUSE_DATA_DIR to a writable folder.'),
  )
  const { bavail, bsize } = await statfs(existing)
  const free = bavail * bsize
  const found = `${(free / GIB).toFixed(1)} GiB free`
  const disk =
    free < LOW_DISK
      ? warning('disk', found, 'Free some space, move TALHOUSE_DATA_DIR, or lower snapshot.keep.')
      : ok('disk', found)
  return [writable, disk]
}

async function nearestExisting(path: string): Promise<string> {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path))
}

/**
 * Checks that the embedded server can run, which requires binaries for this platform and, if talhouse runs as root, an
 * unprivileged account.
 */
export async function checkEmbeddedServer(config: Config): Promise<Finding> {
  try {
    const { postgres } = await findBinaries()
    await serverAccount([resolve(config.data_dir), postgres], resolve(config.data_dir, 'postgres'))
    return ok('embedded PostgreSQL', 'available')
  } catch (error) {
    return problem('embedded PostgreSQL', 'unavailable', messageOf(error))
  }
}

/** Checks that the HTTP port is free or that talhouse listens on it. */
export async function checkHttpPort({ http }: Config): Promise<Finding> {
  const address = `${http.host}:${http.port}`
  const code = await tryToListen(http.host, http.port)
  if (code === undefined) return ok('http port', `${address} is free`)
  if (code !== 'EADDRINUSE')
    return problem(
      'http port',
      `${address}: ${code}`,
      'Set TALHOUSE_HTTP_HOST and TALHOUSE_HTTP_PORT to an address of this host.',
    )
  const status = await fetch(`${localAddress(http)}/health/live`, { signal: AbortSignal.timeout(3000) }).then(
    (response) => response.status,
    () => 0,
  )
  return status === 200
    ? ok('http port', `talhouse listens on ${address}`)
    : problem('http port', `another program listens on ${address}`, 'Set TALHOUSE_HTTP_PORT to another port.')
}

const tryToListen = (host: string, port: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', (error) => done(systemCode(error) ?? 'unknown'))
    server.listen(port, host, () => server.close(() => done(undefined)))
  })

/** Checks the PEM files of `fetching.extra_ca_files`. */
export const checkCertificates = (config: Config): Promise<Finding[]> =>
  Promise.all(config.fetching.extra_ca_files.map(checkCertificate))

async function checkCertificate(file: string): Promise<Finding> {
  const check = `certificate ${file}`
  try {
    const { validTo } = new X509Certificate(await readFile(file))
    const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS)
    if (days < 0) return problem(check, `expired on ${validTo}`, 'Replace the file.')
    return days < 30
      ? warning(check, `expires on ${validTo}`, 'Replace the file soon.')
      : ok(check, `valid until ${validTo}`)
  } catch (error) {
    return problem(check, messageOf(error), 'Correct the path, or provide a PEM file.')
  }
}
