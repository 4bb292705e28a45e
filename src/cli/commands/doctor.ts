import { pluralize } from '../../lib/pluralize.ts'
import type { Handler } from '../support/definition.ts'
import { checkDatabase } from '../support/doctor/database.ts'
import type { Finding } from '../support/doctor/finding.ts'
import {
  checkCertificates,
  checkDataFolder,
  checkEmbeddedServer,
  checkHttpPort,
  checkNode,
} from '../support/doctor/machine.ts'
import { checkAlerts, checkService, checkSnapshots } from '../support/doctor/outside.ts'
import { EXIT } from '../support/exit-codes.ts'
import { formatRows } from '../support/output.ts'

const MARKS = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' } as const

export const doctor: Handler = async (command) => {
  const { config, out } = command
  const isEmbedded = !config.service.database_url || !config.warehouse.database_url
  const findings: Finding[] = [
    checkNode(),
    ...(await checkDataFolder(config)),
    ...(isEmbedded ? [await checkEmbeddedServer(config)] : []),
    await checkHttpPort(config),
    ...(await checkDatabase(command, 'service')),
    ...(await checkDatabase(command, 'warehouse')),
    await checkService(command),
    await checkSnapshots(config),
    ...(await checkCertificates(config)),
    checkAlerts(config),
  ]
  const problems = findings.filter(({ status }) => status === 'problem').length
  const warnings = findings.filter(({ status }) => status === 'warning').length
  out.result({ problems, warnings, findings }, () => describe(findings, problems, warnings))
  return problems > 0 ? EXIT.configuration : EXIT.done
}

function describe(findings: readonly Finding[], problems: number, warnings: number): string {
  const table = formatRows(
    findings.map(({ check, status, found }) => ({ check, status: MARKS[status], found })),
    'table',
  )
  if (problems + warnings === 0) return `${table}\n\nNo problems found.`
  const fixes = findings.filter(({ fix }) => fix).map(({ check, fix }) => `  ${check}: ${fix}`)
  return [
    table,
    ['To fix:', ...fixes].join('\n'),
    `${pluralize(problems, 'problem')}, ${pluralize(warnings, 'warning')}.`,
  ].join('\n\n')
}
