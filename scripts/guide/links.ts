import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { ROOT } from '../build-folder.ts'
import type { GuidePage } from './pages.ts'

/** Repository files and folders included in the guide because pages link to them. */
const SHIPPED = /^(deploy\/|config\/talhouse\.yaml$|compose\.yaml$|Dockerfile$|LICENSE$|docs\/images\/)/

/** A link's target; undefined if the guide does not contain it. Such links are rendered as plain text. */
export type Target = { url: string; file?: string } | undefined

/** Resolves the links of pages to paths below /guide. Throws if a target does not exist. */
export class Links {
  readonly #slugs: ReadonlyMap<string, string>
  /** Paths of the files to copy. */
  readonly files = new Set<string>()
  /** Links to headings: the linking file, the linked page and the heading's ID. */
  readonly #headings: { from: string; slug: string; id: string }[] = []

  constructor(pages: readonly GuidePage[]) {
    this.#slugs = new Map(pages.map(({ file, slug }) => [file, slug]))
  }

  /**
   * Resolves a link in the page `from`. `extension` is appended to links to other pages: nothing for HTML, `.md` for
   * Markdown.
   */
  resolve(from: GuidePage, href: string, extension = ''): Target {
    if (/^(https?:|mailto:|\/)/.test(href)) return { url: href }
    const [path = '', id] = href.split('#')
    const file = path === '' ? from.file : normalize(join(dirname(from.file), path)).replace(/\/$/, '')
    const slug = file === 'docs/decisions' ? 'decisions-0001-node-from-npm' : this.#slugs.get(file)
    if (slug !== undefined) {
      if (id) this.#headings.push({ from: from.file, slug, id })
      return { url: `/guide/${slug}${extension}${id ? `#${id}` : ''}` }
    }
    if (!existsSync(join(ROOT, file))) throw new Error(`${from.file} links to ${href}, which does not exist`)
    if (!SHIPPED.test(`${file}/`) && !SHIPPED.test(file)) return undefined
    this.files.add(file)
    const isFolder = statSync(join(ROOT, file)).isDirectory()
    return { url: `/guide/files/${file}${isFolder ? '/index' : ''}`, file }
  }

  /** Throws if a link points to a heading that does not exist. `ids` contains the heading IDs of each page. */
  checkHeadings(ids: ReadonlyMap<string, ReadonlySet<string>>): void {
    const broken = this.#headings.filter(({ slug, id }) => !ids.get(slug)?.has(id))
    if (broken.length > 0)
      throw new Error(`no such heading: ${broken.map(({ from, slug, id }) => `${slug}#${id} in ${from}`).join(', ')}`)
  }
}
