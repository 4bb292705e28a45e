import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const { DOMAIN, ROOMS } = createRequire(import.meta.url)('../../../scripts/rooms.cjs') as {
  DOMAIN: string[]
  ROOMS: Record<string, string[]>
}

/** Reads the rows of the table under "Rooms": each row's rooms, and the rooms that they may import. */
function documentedRooms(): Record<string, string[]> {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const section = page.slice(page.indexOf('## Rooms'), page.indexOf('## Main path'))
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
  return Object.fromEntries(
    rows.flatMap((row) => {
      const [, rooms = '', , imports = ''] = row.split('|').map((cell) => cell.trim())
      const allowed = imports
        .split(', ')
        .flatMap((name) => (name === 'domain' ? DOMAIN : name === 'nothing' ? [] : name))
      return [...rooms.matchAll(/`(?:src\/)?([\w.-]+)`/g)].map(([, room = '']) => [room, allowed.toSorted()])
    }),
  )
}

describe('the table of rooms in ARCHITECTURE.md', () => {
  it('the table of rooms in ARCHITECTURE.md lists every folder of src', () => {
    const folders = readdirSync(join(ROOT, 'src'))
    expect(Object.keys(documentedRooms())).toEqual(expect.arrayContaining([...folders, 'pipelines', 'console']))
  })

  it('the table of rooms in ARCHITECTURE.md allows the same imports as scripts/rooms.cjs', () => {
    const { cli, ...documented } = documentedRooms()
    expect(cli).toEqual(['everything'])
    const enforced = Object.entries(ROOMS).map(([room, allowed]) => [room, [...new Set(allowed)].toSorted()])
    expect(documented).toEqual(Object.fromEntries(enforced))
  })

  it('ARCHITECTURE.md names only files that exist', () => {
    const page =
      readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8') + readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    const tracked = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files'], { cwd: ROOT, encoding: 'utf8' }).split(
      '\n',
    )
    const named = [...page.matchAll(/`((?:src|pipelines|console|test|scripts|sql|config|bin)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    )
    // NAME and NNNN are placeholders in CONTRIBUTING.md.
    const missing = named.filter(
      (path) =>
        !/NAME|NNNN/.test(path) &&
        !tracked.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`)),
    )
    expect(missing).toEqual([])
  })
})

const VIOLATIONS: Record<string, Record<string, string>> = {
  'room-companies': {
    'src/companies/seeded.ts': "export { createProviders } from '../enrichment/providers/list.ts'\n",
  },
  'room-pipelines': { 'pipelines/seeded.ts': "export { submitTask } from '../src/tasks/submit.ts'\n" },
  'no-cycles': {
    'src/lib/seeded-a.ts': "export { b } from './seeded-b.ts'\nexport const a = 1\n",
    'src/lib/seeded-b.ts': "export { a } from './seeded-a.ts'\nexport const b = 1\n",
  },
  'no-folder-cycles': {
    'src/units/seeded.ts': "export { isMailHost } from '../persons/mail-hosts.ts'\n",
    'src/persons/seeded.ts': "export { companyCost } from '../units/costs.ts'\n",
  },
}

it('npm run boundaries refuses a seeded violation of each kind', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'talhouse-boundaries-'))
  try {
    for (const name of [
      'src',
      'pipelines',
      'console',
      'scripts',
      'package.json',
      'tsconfig.json',
      '.dependency-cruiser.cjs',
    ])
      await cp(join(ROOT, name), join(copy, name), { recursive: true })
    await mkdir(join(copy, 'test'))
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const files of Object.values(VIOLATIONS))
      for (const [file, text] of Object.entries(files)) await writeFile(join(copy, file), text)
    const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`
    const options = { cwd: copy, encoding: 'utf8', env: { ...process.env, PATH: path } } as const
    const { status, stderr } = spawnSync(process.execPath, ['scripts/boundaries.ts'], options)
    expect(status).toBe(1)
    const refused = [...stderr.matchAll(/^([\w-]+): .*seeded|^(no-folder-cycles): /gm)].map(
      ([, rule, folders]) => rule ?? folders,
    )
    expect(new Set(refused)).toEqual(new Set(Object.keys(VIOLATIONS)))
  } finally {
    await rm(copy, { recursive: true })
  }
})
