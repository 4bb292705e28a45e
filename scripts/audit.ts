/**
 * `npm run audit`: checks the packages in the SBOM (dependencies and bundled packages) against the registry's
 * advisories, and fails on high or critical severity. If the registry does not respond, the script prints the reason
 * and succeeds, so builds work offline.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from './build-console.ts'
import { ROOT } from './build-folder.ts'
import { buildGuide } from './build-guide.ts'
import { bundleDependencies } from './bundle-dependencies.ts'
import { bundleMcpSdk } from './bundle-mcp-sdk.ts'
import { bundledIn } from './bundled-packages.ts'
import { createSbom, keyOf } from './sbom.ts'

interface Vulnerability {
  name: string
  severity: string
  range: string
  fixAvailable: unknown
  /** Causes: advisories for this package (objects) or names of vulnerable dependencies (strings). */
  via: (string | object)[]
  /** Installed paths, such as `node_modules/zod`. */
  nodes: string[]
}

interface Report {
  vulnerabilities?: Record<string, Vulnerability>
  message?: string
  error?: { summary?: string }
}

const SEVERE: ReadonlySet<string> = new Set(['high', 'critical'])

const { stdout, stderr } = spawnSync('npm', ['audit', '--json', '--include=dev', '--fetch-retries=1'], {
  cwd: ROOT,
  encoding: 'utf8',
})
const report = parse(stdout)
if (report.vulnerabilities === undefined) {
  const reason = report.error?.summary || report.message || stderr.trim().split('\n').at(-1)
  console.log(`Packages were not audited, because the registry did not respond: ${reason}`)
} else {
  const shipped = await shippedPackages()
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>
  }
  const found = Object.values(report.vulnerabilities).filter(
    ({ name, nodes, via }) =>
      via.some((cause) => typeof cause === 'object') &&
      nodes.some((path) => shipped.has(keyOf({ name, version: lock.packages[path]?.version ?? '' }))),
  )
  const severe = found.filter(({ severity }) => SEVERE.has(severity))
  for (const { name, severity, range, fixAvailable } of found)
    console.log(`${severity}: ${name} ${range}${fixAvailable ? ' (an update fixes it: npm audit fix)' : ''}`)
  console.log(
    `${found.length} of ${shipped.size} production and bundled packages with advisories, ${severe.length} of them high or critical.`,
  )
  process.exitCode = severe.length > 0 ? 1 : 0
}

async function shippedPackages(): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'talhouse-audit-'))
  try {
    const bundles = [
      await bundleDependencies(join(folder, 'dependencies')),
      await bundleMcpSdk(join(folder, 'mcp')),
      await buildConsole(),
      await buildGuide(),
    ]
    return new Set(createSbom(bundledIn(bundles)).components.map(keyOf))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function parse(text: string): Report {
  try {
    return JSON.parse(text) as Report
  } catch {
    return {}
  }
}
