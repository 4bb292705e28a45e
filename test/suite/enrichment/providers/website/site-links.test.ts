import { describe, expect, it } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { LINK_KINDS } from '../../../../../src/enrichment/providers/website/link-kinds/classify-link.ts'
import { findSiteLinks } from '../../../../../src/enrichment/providers/website/site-links.ts'

const find = (html: string) => findSiteLinks(parsePage(html, 'https://acme.example/'), 'acme.example')

/** Returns the most likely kind of each link, by path. */
const kinds = (html: string): Record<string, string> =>
  Object.fromEntries(
    find(html).map(({ url, odds }) => [
      decodeURIComponent(new URL(url).pathname),
      LINK_KINDS.toSorted((a, b) => odds[b] - odds[a])[0] as string,
    ]),
  )

describe('findSiteLinks', () => {
  it.each([
    ['/team', 'Team', 'team'],
    ['/about/leadership', '', 'team'],
    ['/our-people.html', 'Our People', 'team'],
    ['/p/12', 'Our Brewers', 'team'],
    ['/die-koepfe', 'Die Köpfe dahinter', 'team'],
    ['/prawnicy', 'Prawnicy', 'team'],
    ['/x', '社員紹介', 'team'],
    ['/ueber-uns/', 'Über uns', 'about'],
    ['/about-us', 'About', 'about'],
    ['/p/17', 'Contact us', 'contact'],
    ['/impressum', '', 'legal'],
    ['/privacy', 'Privacy Policy', 'legal'],
    ['/newsroom/', 'Newsroom', 'news'],
    ['/company/press-releases', 'Press', 'news'],
    ['/products', 'Products', 'other'],
    ['/mandanten', 'Mandanten', 'other'],
  ])('classifies the link %s "%s" as a page of the kind %s', (path, text, kind) => {
    expect(kinds(`<nav><a href="${path}">${text}</a></nav>`)).toEqual({ [path]: kind })
  })

  it.each([
    ['/', 'Home'],
    ['/careers/team', 'Join our team'],
    ['/team.pdf', 'Our team'],
    ['/news/2025/we-opened-an-office', 'We opened an office'],
    ['/services/asset-management', 'Asset Management'],
    ['/client-login', 'Client login'],
    ['/blog/why-our-team-loves-long-walks', ''],
    ['https://www.linkedin.com/company/acme/people', 'People'],
  ])('skips the link %s "%s"', (path, text) => {
    expect(find(`<nav><a href="${path}">${text}</a></nav>`)).toEqual([])
  })

  it.each([
    ['/from-the-bean-to-the-people', 'From the bean to the people'],
    ['/whos-on-the-job', "Who's on the job"],
  ])('lists the link %s "%s" of a menu', (path, text) => {
    expect(find(`<nav><a href="${path}">${text}</a></nav>`)).toHaveLength(1)
  })

  it('lists each linked page once, with its most informative text', () => {
    const html = '<nav><a href="/x7">Our Team</a><p>See <a href="/x7#ann">here</a>.</p></nav>'
    expect(kinds(html)).toEqual({ '/x7': 'team' })
  })

  it('reads the description of an image link, and the areas of an image map', () => {
    const html = '<a href="/q1"><img src="a.gif" alt="Our people"></a><area href="/q2" alt="Contact">'
    expect(kinds(html)).toEqual({ '/q1': 'team', '/q2': 'contact' })
  })

  it('reads the menu from script data if the page has no links', () => {
    const data = {
      menu: [
        { to: '/crew', label: 'Our crew' },
        { to: '/shop', label: 'Shop' },
      ],
    }
    const html = `<script type="application/json">${JSON.stringify(data)}</script>`
    expect(kinds(html)).toEqual({ '/crew': 'team', '/shop': 'other' })
  })
})
