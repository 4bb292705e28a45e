import { describe, expect, it } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { findFeedLinks } from '../../../../../src/enrichment/providers/website/find-feeds.ts'

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
