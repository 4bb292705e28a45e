import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuthority } from '../../../../src/demo/site/certificates.ts'
import { readAuthorities } from '../../../../src/enrichment/fetching/authorities.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talhouse-authorities-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('adds certificate authorities to the defaults, and keeps the defaults without files', async () => {
  const file = join(folder, 'own.pem')
  const { certificate } = await createAuthority()
  await writeFile(file, certificate)
  const trusted = readAuthorities([file]) ?? []
  expect(trusted.at(-1)).toBe(certificate)
  expect(trusted.length).toBeGreaterThan(50)
  expect(readAuthorities([])).toBeUndefined()
})

it('names a file of certificate authorities that cannot be used', async () => {
  const file = join(folder, 'empty.pem')
  await writeFile(file, 'nothing')
  const missing = join(folder, 'missing.pem')
  for (const name of [file, missing])
    expect(() => readAuthorities([name])).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining(name) }),
    )
})
