import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An installed version of talhouse. */
export interface Release {
  readonly version: string
  /** Path of the program `talhouse`. */
  readonly command: string
}

const ROOT = join(import.meta.dirname, '../../..')

/** Tables that get a new nullable column. Every process uses these tables. */
const ADDED_COLUMN: Readonly<Record<'service' | 'warehouse', readonly string[]>> = {
  service: ['company', 'task', 'task_item'],
  warehouse: ['warehouse.company', 'sync.run'],
}

/** Packs and installs this version, and the next minor version, which contains one more migration for each database. */
export function installReleases(base: string): { current: Release; next: Release } {
  const tarball = pack(ROOT, base)
  const source = join(base, 'next')
  mkdirSync(source)
  run('tar', ['--extract', '--gzip', '--strip-components=1', '--file', tarball], source)
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string }
  const { version } = manifest
  const [major, minor] = version.split('.')
  const nextVersion = `${major}.${Number(minor) + 1}.0`
  writeFileSync(join(source, 'package.json'), JSON.stringify({ ...manifest, version: nextVersion }))
  for (const [database, tables] of Object.entries(ADDED_COLUMN))
    addMigration(join(source, 'dist/sql', database), version, tables)
  return {
    current: install(base, version, tarball),
    next: install(base, nextVersion, pack(source, base, '--ignore-scripts')),
  }
}

/** Adds a migration after the last one; `oldestVersion` can use the resulting schema. */
function addMigration(folder: string, oldestVersion: string, tables: readonly string[]): void {
  const number = String(readdirSync(folder).length + 1).padStart(4, '0')
  const statements = tables.map(
    (table) =>
      `alter table ${table} add column upgrade_note text;\ncomment on column ${table}.upgrade_note is 'A note of the upgrade';\n`,
  )
  writeFileSync(join(folder, `${number}_upgrade_notes@${oldestVersion}.sql`), statements.join(''))
}

function pack(source: string, destination: string, ...options: string[]): string {
  const name = run('npm', ['pack', '--silent', ...options, '--pack-destination', destination], source).trim()
  return join(destination, name.split('\n').at(-1) as string)
}

function install(base: string, version: string, tarball: string): Release {
  const folder = join(base, `talhouse-${version}`)
  mkdirSync(folder)
  run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', tarball], folder)
  return { version, command: join(folder, 'node_modules/talhouse/bin/talhouse.js') }
}

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
