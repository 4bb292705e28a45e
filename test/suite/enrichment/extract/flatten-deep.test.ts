import { describe, expect, it } from 'vitest'
import { flattenDeep, MAX_DEPTH } from '../../../../src/enrichment/extract/flatten-deep.ts'
import { parsePage, textOf } from '../../../../src/enrichment/extract/page.ts'
import { parseStructuredData } from '../../../../src/enrichment/extract/structured-data.ts'

const url = 'https://acme.example/'
/**
 * Measures the depth iteratively, so that a tree that is too deep fails the expectation instead of overflowing the
 * stack.
 */
function depthOf(html: string): number {
  let deepest = 0
  const open = parsePage(html, url)
    .$('html')
    .toArray()
    .map((element) => ({ element, depth: 1 }))
  for (let next = open.pop(); next; next = open.pop()) {
    deepest = Math.max(deepest, next.depth)
    for (const child of next.element.children)
      if (child.type === 'tag') open.push({ element: child, depth: next.depth + 1 })
  }
  return deepest
}

describe('a page with unbounded nesting', () => {
  it.each([
    ['blocks', '<div>'.repeat(20_000)],
    ['custom elements', '<x-box>'.repeat(20_000)],
    ['elements written as self-closing', '<div/>'.repeat(20_000)],
    ['formatting elements', '<b>'.repeat(20_000)],
    ['blocks in a drawing', `<svg>${'<div>'.repeat(20_000)}`],
    ['drawings', `${'<svg>'.repeat(20_000)}<p>`],
    ['tables', '<table><tr><td>'.repeat(5000)],
    ['blocks after a closed comment', `<!-- <div> -->${'<section>'.repeat(20_000)}`],
  ])('flattens a page of %s to the nesting depth of a browser', (_, html) => {
    expect(depthOf(`${html}Jane Invented`)).toBeLessThan(5 * MAX_DEPTH)
    expect(textOf(parsePage(`${html}Jane Invented`, url).$('body'))).toBe('Jane Invented')
  })

  it('does not multiply unclosed formatting elements', () => {
    const fonts = Array.from({ length: 300 }, (_, color) => `<font color="${color}">`).join('')
    const { $ } = parsePage(`${fonts}${'<table><tr><td><p>x</table>'.repeat(300)}`, url)
    expect($('*').length).toBeLessThan(30_000)
  })

  it('reads the structured data of a page with unbounded nesting', () => {
    const html = `${'<div class="h-card">'.repeat(5000)}<script type="application/ld+json">{"@type":"Organization","name":"Acme"}</script>`
    expect(parseStructuredData(html, url).some(({ types }) => types.includes('Organization'))).toBe(true)
  })
})

it.each([
  ['with all elements closed', `<main>${'<div><p>one<b>two</b></p></div>'.repeat(2000)}</main>`],
  [
    'with unclosed cells and list items',
    `<table>${'<tr><td>one'.repeat(2000)}</table><ul>${'<li>two'.repeat(2000)}</ul>`,
  ],
  ['with tags in scripts and comments', `<script>${"'<div>'".repeat(2000)}</script><!--${'<div>'.repeat(2000)}-->`],
  ['with a drawing of many parts', `<svg>${'<path d="M0 0"/>'.repeat(2000)}</svg>`],
  ['with marks in values', `<a title="a > b" href='"'>${'<br>'.repeat(2000)}</a>`],
  ['cut off in a tag', '<div><p class="on'],
])('leaves a page %s unchanged', (_, html) => {
  expect(flattenDeep(html)).toBe(html)
})
