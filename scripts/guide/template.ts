import type { GuidePage, GuideSection } from './pages.ts'
import type { Rendered } from './render-page.ts'
import { escapeHtml } from './render-page.ts'

/**
 * Returns the HTML of a page with the guide's navigation. The HTML contains no inline scripts or styles and loads
 * nothing from other hosts.
 */
export function layOut(sections: readonly GuideSection[], page: GuidePage, { html, headings }: Rendered): string {
  const pages = sections.flatMap((section) => section.pages)
  const at = pages.indexOf(page)
  const [previous, next] = [pages[at - 1], pages[at + 1]]
  const outline = headings.filter(({ depth }) => depth === 2)
  return document(
    page.title,
    `<link rel="alternate" type="text/markdown" href="/guide/${page.slug}.md">`,
    `<nav class="pages" aria-label="Pages">${sections.map((section) => navigation(section, page)).join('')}</nav>
<main id="content">
${html}
<footer>${previous ? `<a rel="prev" href="${urlOf(previous)}">← ${titleOf(previous)}</a>` : ''}
<a href="/guide/${page.slug}.md">Markdown</a>
${next ? `<a rel="next" href="${urlOf(next)}">${titleOf(next)} →</a>` : ''}</footer>
</main>
<aside><nav aria-label="On this page"><ul>${outline
      .map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`)
      .join('')}</ul></nav></aside>`,
  )
}

/** Returns an HTML page that lists the files in a linked folder. */
export const layOutFiles = (folder: string, names: readonly string[]): string =>
  document(
    folder,
    '',
    `<main id="content"><h1>${escapeHtml(folder)}</h1><ul>${names
      .map((name) => `<li><a href="/guide/files/${folder}/${name}">${escapeHtml(name)}</a></li>`)
      .join('')}</ul></main>`,
  )

export const urlOf = ({ slug }: GuidePage): string => (slug === 'index' ? '/guide' : `/guide/${slug}`)

const titleOf = ({ slug, title }: GuidePage): string =>
  slug === 'index' ? 'Overview' : escapeHtml(title.replaceAll('`', ''))

function navigation({ title, pages }: GuideSection, current: GuidePage): string {
  const links = pages
    .map(
      (page) =>
        `<li><a href="${urlOf(page)}"${page === current ? ' aria-current="page"' : ''}>${titleOf(page)}</a></li>`,
    )
    .join('')
  // Long sections are collapsed unless they contain the current page.
  const isOpen = pages.length <= 12 || pages.includes(current)
  return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><ul>${links}</ul></details>`
}

const document = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · talhouse guide</title>
<link rel="icon" type="image/svg+xml" href="/guide/assets/icon.svg">
<link rel="stylesheet" href="/guide/assets/guide.css">
<script type="module" src="/guide/assets/guide.js"></script>
${head}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/guide">talhouse guide</a>
<search hidden><input type="search" id="search" aria-label="Search the guide" placeholder="Search (press /)" autocomplete="off">
<ul id="results" aria-label="Results" hidden></ul><p id="found" class="visually-hidden" role="status"></p></search>
<nav aria-label="Service"><a href="/console">Console</a> <a href="/docs">API</a></nav>
</header>
<div class="columns">
${body}
</div>
</body>
</html>
`
