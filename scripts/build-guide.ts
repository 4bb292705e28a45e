/** Builds the guide into `dist/guide`: every page as HTML and Markdown, llms.txt, a search index, and the files that pages link to. */
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildFolder, compress, ROOT } from './build-folder.ts'
import { LICENSES } from './bundled-packages.ts'
import type { GuidePage, GuideSection } from './guide/pages.ts'
import type { Rendered } from './guide/render-page.ts'

const SOURCES = [
  '*.md',
  'docs/**/*',
  'console/{guide,styles}/*',
  'config/talhouse.yaml',
  'deploy/**/*',
  'src/{cli,http,contract}/**/*.ts',
  'package-lock.json',
  'scripts/{guide/*,build-guide.ts,build-folder.ts}',
]

/**
 * Builds the guide if a source is newer than the last build, and returns its folder. Throws if a link target does not
 * exist.
 */
export const buildGuide = (): Promise<string> => buildFolder('dist/guide', SOURCES, writeGuide)

async function writeGuide(out: string): Promise<void> {
  const [{ readGuide }, { Links }, { asMarkdown, renderPage }, { layOut, layOutFiles }] = await Promise.all([
    import('./guide/pages.ts'),
    import('./guide/links.ts'),
    import('./guide/render-page.ts'),
    import('./guide/template.ts'),
  ])
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), text)
  }
  const sections = await readGuide()
  const pages = sections.flatMap((section) => section.pages)
  const links = new Links(pages)
  const rendered = new Map(pages.map((page) => [page, renderPage(page, links)]))
  for (const [page, content] of rendered) {
    write(`${page.slug}.html`, layOut(sections, page, content))
    write(`${page.slug}.md`, asMarkdown(page, links))
  }
  links.checkHeadings(
    new Map([...rendered].map(([{ slug }, { headings }]) => [slug, new Set(headings.map(({ id }) => id))])),
  )
  for (const file of links.files) {
    cpSync(join(ROOT, file), join(out, 'files', file), { recursive: true })
    if (statSync(join(ROOT, file)).isDirectory())
      write(`files/${file}/index.html`, layOutFiles(file, readdirSync(join(ROOT, file))))
  }
  write('search.json', JSON.stringify(pages.flatMap((page) => searchEntries(page, rendered.get(page) as Rendered))))
  await buildAssets(out)
  cpSync(join(ROOT, 'console/icon.svg'), join(out, 'assets/icon.svg'))
  compress(globSync(join(out, '{search.json,assets/*}')))
  write('llms.txt', listForModels(sections))
}

async function buildAssets(out: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(ROOT, 'console/guide'),
    base: '/guide/',
    logLevel: 'warn',
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      license: { fileName: LICENSES },
      rolldownOptions: {
        input: join(ROOT, 'console/guide/guide.ts'),
        output: { entryFileNames: 'assets/guide.js', assetFileNames: 'assets/guide[extname]' },
      },
    },
  })
}

/** Returns one search entry per section of a page, with the section's text. */
function searchEntries({ slug, title }: GuidePage, { html, headings }: Rendered) {
  const plain = (part: string) =>
    part
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/&(?:lt|gt|amp|quot|#39);/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  const parts = html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/s).slice(1)
  return headings.map(({ id, text }, at) => ({
    url: `/guide/${slug === 'index' ? '' : slug}${at === 0 ? '' : `#${id}`}`,
    page: title,
    heading: text,
    text: plain(parts[at] ?? ''),
  }))
}

/** Lists the pages for language models, in the format of llmstxt.org. */
function listForModels(sections: readonly GuideSection[]): string {
  const about = ({ text }: GuidePage) => /^(?:#.*\n+|<!--.*\n+)*([^\n|#`].*(?:\n[^\n].*)*)/.exec(text)?.[1] ?? ''
  const lines = sections.map(({ title, pages }) =>
    [
      `## ${title}\n`,
      ...pages.map((page) => {
        const sentence =
          /^.*?[.:](?=\s|$)/s
            .exec(
              about(page)
                .replace(/^\*\*[^*]+\*\* /, '')
                .replaceAll(/\s+/g, ' '),
            )?.[0]
            .replace(/:$/, '.') ?? ''
        return `- [${page.title}](/guide/${page.slug}.md)${sentence && `: ${sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`}`
      }),
    ].join('\n'),
  )
  return `# talhouse

> A self-hosted service that enriches companies and people, and a PostgreSQL warehouse that is kept in sync with it.

${lines.join('\n\n')}
`
}

if (import.meta.main) {
  // A production install does not need a Markdown parser, because the package contains the built guide.
  if (existsSync(join(ROOT, 'node_modules/marked'))) await buildGuide()
}
