import { createRequire } from 'node:module'
import GithubSlugger from 'github-slugger'
import { Marked } from 'marked'
import type { Links } from './links.ts'
import type { GuidePage } from './pages.ts'

/** Loads highlight.js without its types, which would add browser types to every TypeScript program in this project. */
const require = createRequire(import.meta.url)
const highlight = require('highlight.js') as {
  getLanguage(name: string): object | undefined
  highlight(text: string, options: { language: string }): { value: string }
}

export interface Heading {
  readonly id: string
  readonly depth: number
  /** HTML without tags. */
  readonly text: string
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

/**
 * Renders a page's Markdown. Headings have the same IDs as on GitHub. Highlighted code uses classes, because the
 * content security policy blocks inline styles.
 */
export function renderPage(page: GuidePage, links: Links): Rendered {
  const slugger = new GithubSlugger()
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = slugger.slug(text)
        const content = this.parser.parseInline(tokens)
        headings.push({ id, depth, text: content.replaceAll(/<[^>]+>/g, '') })
        return `<h${depth} id="${id}">${content}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const target = links.resolve(page, href)
        const content = this.parser.parseInline(tokens)
        return target ? `<a href="${escapeHtml(target.url)}">${content}</a>` : content
      },
      image({ href, text }) {
        const target = links.resolve(page, href)
        return `<img src="${escapeHtml(target?.url ?? '')}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ text, lang = '' }) {
        if (lang === 'mermaid')
          throw new Error(`${page.file}: the guide cannot render Mermaid. Use a table or a text diagram.`)
        const html = highlight.getLanguage(lang)
          ? highlight.highlight(text, { language: lang }).value
          : escapeHtml(text)
        return `<pre tabindex="0"><code>${html}</code></pre>\n`
      },
      // Removes inline HTML and comments, except line breaks in table cells.
      html: ({ text }) => (text === '<br>' ? text : ''),
    },
  })
  const html = marked.parse(page.text, { async: false })
  return {
    html: html
      .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll(/ align="(\w+)"/g, ' class="$1"'),
    headings,
  }
}

/** Returns the page's Markdown, with links pointing to the guide's Markdown pages. */
export const asMarkdown = (page: GuidePage, links: Links): string =>
  page.text.replaceAll(/\]\(([^)\s]+)\)/g, (link, href: string) => {
    const target = links.resolve(page, href, '.md')
    return target ? `](${target.url})` : link
  })

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
