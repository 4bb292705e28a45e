import { describe, expect, it, test } from 'vitest'
import { isPathAllowed, parseRobots } from '../../../../src/enrichment/fetching/parse-robots.ts'
import { cpuSeconds } from '../../../helpers/cpu-seconds.ts'

const read = (text: string, product = 'talhouse') => {
  const { rules, ...rest } = parseRobots(text, product)
  return { ...rest, allows: (path: string) => isPathAllowed(rules, path) }
}
const under = (...lines: string[]) => read(['User-agent: *', ...lines].join('\n'))

describe('the examples of RFC 9309', () => {
  const SIMPLE = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`

  test.each([
    ['talhouse', '/a.gif', false],
    ['talhouse', '/a.gif?x', true],
    ['talhouse', '/example/page.html', false],
    ['talhouse', '/publications/x', true],
    ['talhouse', '/other', true],
    ['foobot', '/example/page.html', true],
    ['foobot', '/example/allowed.gif', true],
    ['foobot', '/publications/', false],
    ['barbot', '/example/page.html', false],
    ['bazbot', '/example/page.html', false],
    ['bazbot', '/a.gif', true],
    ['quxbot', '/example/page.html', true],
    ['QuxBot', '/a.gif', true],
  ])('follows RFC 9309, 5.1: %s at %s: %s', (product, path, allowed) => {
    expect(read(SIMPLE, product).allows(path)).toBe(allowed)
  })

  it('follows RFC 9309, 5.2: applies the longest match', () => {
    const { allows } = read(
      'User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n',
      'foobot',
    )
    expect(allows('/example/page/disallowed.gif')).toBe(false)
    expect(allows('/example/page/')).toBe(true)
  })

  test.each([
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
  ])('follows RFC 9309, 2.2.2: the path %s is that of %s', (pattern, path) => {
    expect(under(`Disallow: ${pattern}`).allows(path)).toBe(false)
    expect(under(`Disallow: ${path}`).allows(pattern)).toBe(false)
    expect(under(`Disallow: ${pattern}x`).allows(path)).toBe(true)
  })

  test.each([
    ['allow: /this/is/exactly$', '/this/is/exactly', true],
    ['allow: /this/is/exactly$', '/this/is/exactly/not', false],
    ['allow: /this/*/exactly', '/this/or/that/exactly', true],
    ['Disallow: /path/file-with-a-%2A.html', '/path/file-with-a-*.html', false],
    ['Disallow: /path/file-with-a-%2A.html', '/path/file-with-a-b.html', true],
    ['Disallow: /path/foo-%24', '/path/foo-$', false],
    ['Disallow: /path/foo-%24', '/path/foo-', true],
  ])('follows RFC 9309, 2.2.3: "%s" at %s: %s', (line, path, allowed) => {
    expect(under(...(line.startsWith('allow') ? ['disallow: /'] : []), line).allows(path)).toBe(allowed)
  })

  it('follows RFC 9309, 2.2.1: merges groups of one product and ignores lines that are not rules', () => {
    const { allows, sitemaps } = read(
      'user-agent: talhouse\nSitemap: https://acme.example/map.xml\nuser-agent: other\ndisallow: /a\n\nuser-agent: *\ndisallow: /\n\nuser-agent: TalHouse/2.0\ndisallow: /b',
    )
    expect(['/a', '/b', '/c'].map(allows)).toEqual([false, false, true])
    expect(sitemaps).toEqual(['https://acme.example/map.xml'])
  })
})

describe('robots.txt as sites write it', () => {
  it('prefers Allow on a tie between robots.txt rules and ignores empty rules', () => {
    expect(under('Disallow: /page', 'Allow: /page').allows('/page')).toBe(true)
    expect(under('Allow: /page', 'Disallow: /page').allows('/page')).toBe(true)
    expect(under('Disallow:').allows('/page')).toBe(true)
    expect(under('Disallow: /').allows('/robots.txt')).toBe(true)
  })

  it('skips byte order marks, comments, blank lines and unknown lines of robots.txt, with any line ending', () => {
    const { allows, delay } = read(
      '\ufeffUSER-AGENT : * # all\r\n  Nonsense\r\nDISALLOW : /a # not this\rCrawl-delay: 2.5\nDisallow: /b\tb\nClean-param: x\nDisallow: /c',
    )
    expect(['/a', '/b%09b', '/c', '/d'].map(allows)).toEqual([false, false, false, true])
    expect(delay).toBe(2.5)
  })

  it('ignores the robots.txt group of a product whose name only starts with ours', () => {
    expect(read('User-agent: talhouse-images\nDisallow: /').allows('/')).toBe(true)
    expect(read('User-agent: tal\nDisallow: /').allows('/')).toBe(true)
    expect(read('Disallow: /').allows('/')).toBe(true)
  })

  test.each([
    ['/*', '/any', false],
    ['*', '/any', false],
    ['/a*b*c$', '/a-b-bc', false],
    ['/a*b*c$', '/a-b-bc-', true],
    ['/a**b', '/axb', false],
    ['/a*$', '/abc', false],
    ['/ab*ba$', '/aba', true],
    ['/ab*ba$', '/abba', false],
    ['/$x', '/$x', true],
    ['/fish*', '/Fish.asp', true],
    ['/fish', '/fish/salmon.html', false],
    ['/*.php$', '/a.php?x=.php', false],
    ['/a%2fb', '/a%2Fb', false],
    ['/a%2fb', '/a/b', true],
    ['/\ud800', '/%EF%BF%BD', false],
  ])('Disallow: %s allows %s: %s', (pattern, path, allowed) => {
    expect(under(`Disallow: ${pattern}`).allows(path)).toBe(allowed)
  })

  it('matches half a megabyte of robots.txt wildcards against a long URL in linear time', async () => {
    const { allows } = under(...Array.from({ length: 250 }, () => `Disallow: /${'*a'.repeat(1000)}b$`))
    // A backtracking matcher would take seconds.
    expect(await cpuSeconds(() => expect(allows(`/${'a'.repeat(8000)}`)).toBe(true))).toBeLessThan(1)
  })
})
