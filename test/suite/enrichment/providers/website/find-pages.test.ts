import { describe, expect, it } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { findFeedLinks, findPageLinks, judgeLink } from '../../../../../src/enrichment/providers/website/find-pages.ts'

describe('judgeLink', () => {
  it.each([
    ['/team', 'Team', 'team'],
    ['/about/leadership', '', 'team'],
    ['/our-people.html', 'Our People', 'team'],
    ['/who-we-are', 'Who we are', 'team'],
    ['/ueber-uns/', 'Über uns', 'about'],
    ['/about-us', 'About', 'about'],
    ['/p/17', 'Contact us', 'contact'],
    ['/impressum', '', 'contact'],
    ['/newsroom/', 'Newsroom', 'news'],
    ['/company/press-releases', 'Press', 'news'],
  ])('takes %s "%s" for a page about %s', (path, text, kind) => {
    expect(judgeLink(`https://acme.example${path}`, text, true)?.kind).toBe(kind)
  })

  it.each([
    ['/', 'Home'],
    ['/careers/team', 'Join our team'],
    ['/team.pdf', 'Our team'],
    ['/news/2025/we-opened-an-office', 'We opened an office'],
    ['/services/asset-management', 'Asset Management'],
    ['/client-login', 'Client login'],
    ['/blog/why-our-team-loves-long-walks', ''],
    ['/products', 'Products'],
  ])('takes %s "%s" for none', (path, text) => {
    expect(judgeLink(`https://acme.example${path}`, text, true)).toBeUndefined()
  })
})

describe('findPageLinks', () => {
  it('stays on the site, lists each page once and sorts by score', () => {
    const html = `<nav><a href="/team">Our Team</a><a href="https://www.acme.example/about">About us</a><a href="https://www.linkedin.com/company/acme/people">People</a></nav>
      <p>Meet <a href="/team#ann">the people</a>, or see the <a href="/board">board</a>.</p>`
    const links = findPageLinks(parsePage(html, 'https://acme.example/'), 'acme.example')
    expect(links.map(({ kind, url }) => `${kind} ${url}`)).toEqual([
      'team https://acme.example/team',
      'about https://www.acme.example/about',
      'team https://acme.example/board',
    ])
  })
})

describe('findFeedLinks', () => {
  it('finds declared and linked feeds but not feeds of comments or of other sites', () => {
    const html = `<link rel="alternate" type="application/rss+xml" href="/rss"><link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed">
      <link rel="alternate" type="application/atom+xml" href="https://other.example/atom"><a href="/news/feed.json">JSON</a>`
    expect(findFeedLinks(parsePage(html, 'https://acme.example/'), 'acme.example')).toEqual([
      'https://acme.example/rss',
      'https://acme.example/news/feed.json',
    ])
  })
})
