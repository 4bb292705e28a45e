import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './build-folder.ts'
import type { BundledPackage } from './bundled-packages.ts'

interface Component {
  'bom-ref': string
  name: string
  version: string
  properties: { name: string; value: string }[]
}

/** The parts of a CycloneDX document that `createSbom` reads or changes. */
export interface Sbom {
  bomFormat: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** Marks the packages that npm installs only for development. */
const DEVELOPMENT = 'cdx:npm:package:development'

/** Marks packages whose code is bundled in `dist`; npm does not install them with talhouse. */
const BUNDLED = { name: 'talhouse:bundled', value: 'true' }

/**
 * The CycloneDX SBOM of the package: its production packages, and the packages that the build bundles. Throws if a
 * bundled package is not installed, because the bundle is then out of date.
 */
export function createSbom(bundled: readonly BundledPackage[]): Sbom {
  // During the build, Vite sets NODE_ENV to production, which makes npm omit development packages, including the
  // bundled packages.
  const output = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--include=dev'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 100e6,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const sbom = JSON.parse(output) as Sbom
  const installed = new Set(sbom.components.map(keyOf))
  const missing = bundled.map(keyOf).filter((key) => !installed.has(key))
  if (missing.length > 0) throw new Error(`Bundled, but not installed: ${missing.join(', ')}. Run npm run build.`)
  const production = productionPackages()
  const wanted = new Set([...production, ...bundled.map(keyOf)])
  const components = sbom.components
    .filter((component) => wanted.has(keyOf(component)))
    .map((component) => {
      const others = component.properties.filter(({ name }) => name !== DEVELOPMENT)
      return { ...component, properties: production.has(keyOf(component)) ? others : [...others, BUNDLED] }
    })
  const { metadata } = sbom
  const refs = new Set([metadata.component, ...components].map((component) => component['bom-ref']))
  return {
    ...sbom,
    // npm uses the folder's name as the package name.
    metadata: { ...metadata, component: { ...metadata.component, name: 'talhouse' } },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  }
}

/**
 * Returns the packages that npm installs with talhouse, according to the lockfile. `npm sbom --omit=dev` would omit
 * production packages that a development package also requires (https://github.com/npm/cli/issues/7909).
 */
function productionPackages(): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>
  }
  const production = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  return new Set(
    production.map(([path, { version }]) => keyOf({ name: path.split('node_modules/').at(-1) as string, version })),
  )
}

/** A package's name and version, such as `zod@4.6.7`. */
export const keyOf = ({ name, version }: BundledPackage): string => `${name}@${version}`
