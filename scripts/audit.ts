/**
 * `npm run audit`: checks the installed production packages against the registry's advisories, and fails for those of severity high or
 * critical. Without a registry it prints why nothing was checked, and succeeds, so that a build works offline.
 */
import { spawnSync } from 'node:child_process'

interface Report {
  vulnerabilities?: Record<string, { name: string; severity: string; range: string; fixAvailable: unknown }>
  message?: string
  error?: { summary?: string }
}

const SEVERE: ReadonlySet<string> = new Set(['high', 'critical'])

const { stdout, stderr } = spawnSync('npm', ['audit', '--json', '--omit=dev', '--fetch-retries=1'], {
  encoding: 'utf8',
})
const report = parse(stdout)
if (report.vulnerabilities === undefined) {
  const reason = report.error?.summary || report.message || stderr.trim().split('\n').at(-1)
  console.log(`Packages were not audited, because the registry did not respond: ${reason}`)
} else {
  const found = Object.values(report.vulnerabilities)
  const severe = found.filter(({ severity }) => SEVERE.has(severity))
  for (const { name, severity, range, fixAvailable } of found)
    console.log(`${severity}: ${name} ${range}${fixAvailable ? ' (an update fixes it: npm audit fix)' : ''}`)
  console.log(`${found.length} production packages with advisories, ${severe.length} of them high or critical.`)
  process.exitCode = severe.length > 0 ? 1 : 0
}

function parse(text: string): Report {
  try {
    return JSON.parse(text) as Report
  } catch {
    return {}
  }
}
