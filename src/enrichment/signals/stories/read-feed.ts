import { load } from 'cheerio'
import type { parseFeed as Parse } from 'feedsmith'
import { parseFeed } from 'feedsmith'
import type { Story } from './story.ts'
import { tidyLead } from './story.ts'
import { dayInUrl, readDay } from './story-date.ts'

/** An item from any feed format. */
interface RawItem {
  title: string | undefined
  link: string | undefined
  /** The `xml:base` values of the feed and the entry. */
  bases?: (string | undefined)[]
  date: unknown
  summary: string | undefined
}

/**
 * Reads the stories in an RSS, Atom, RDF or JSON feed or a news sitemap, in their original order. Returns null for
 * other text. Skips items without a headline or without an http or https URL. Invalid dates become null. Relative links
 * are resolved against `base`.
 */
export function readFeed(text: string, base: string): Story[] | null {
  const items = feedItems(text) ?? sitemapItems(text)
  return items?.flatMap((item) => toStory(item, base)) ?? null
}

function feedItems(text: string): RawItem[] | null {
  let parsed: ReturnType<typeof Parse>
  try {
    parsed = parseFeed(text.trimStart())
  } catch {
    return null
  }
  const { format, feed } = parsed
  if (format === 'json')
    return (feed.items ?? []).map((item) => ({
      title: item.title,
      link: item.url ?? item.external_url ?? item.id,
      date: item.date_published ?? item.date_modified,
      summary: item.summary ?? item.content_text ?? item.content_html,
    }))
  if (format === 'atom')
    return (feed.entries ?? []).map((entry) => ({
      title: plainOf(entry.title),
      link:
        (entry.links?.find((link) => (link.rel ?? 'alternate') === 'alternate') ?? entry.links?.[0])?.href ?? entry.id,
      bases: [feed.xml?.base, entry.xml?.base],
      date: entry.published ?? entry.updated,
      summary: plainOf(entry.summary) ?? plainOf(entry.content),
    }))
  if (format === 'rdf')
    return (feed.items ?? []).map((item) => ({
      title: item.title,
      link: item.link,
      date: item.dc?.dates?.[0],
      summary: item.description ?? item.content?.encoded,
    }))
  return (feed.items ?? []).map((item) => ({
    title: withoutPublisher(item.title, item.source?.title),
    link: item.link ?? item.guid?.value,
    date: item.pubDate ?? item.dc?.dates?.[0],
    summary: item.description ?? item.content?.encoded,
  }))
}

/** Removes the publisher (the item's source), which aggregators append to each title. */
function withoutPublisher(title: string | undefined, publisher: string | undefined): string | undefined {
  const tail = ` - ${publisher}`
  return publisher && title?.endsWith(tail) ? title.slice(0, -tail.length) : title
}

function plainOf(text: string | { value?: string | undefined } | undefined): string | undefined {
  return typeof text === 'string' ? text : text?.value
}

/**
 * Reads the items in a news sitemap, which contains titles and dates. Returns null for other sitemaps and other text.
 */
function sitemapItems(text: string): RawItem[] | null {
  if (!/<urlset[\s>]/u.test(text.slice(0, 2000)) || !/<news:news[\s>]/u.test(text)) return null
  const $ = load(text, { xml: true })
  return $('url')
    .toArray()
    .map((url) => ({
      title: $(url).find(String.raw`news\:title`).first().text(),
      link: $(url).children('loc').first().text(),
      date: $(url).find(String.raw`news\:publication_date`).first().text(),
      summary: undefined,
    }))
}

function toStory({ title, link, bases = [], date, summary }: RawItem, address: string): Story[] {
  const headline = plainText(title ?? '')
  const base = bases.reduce<string>((outer, inner = '') => URL.parse(inner, outer)?.href ?? outer, address)
  const url = URL.parse(link?.trim() ?? '', base)
  if (headline === '' || !link || !url) return []
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return []
  const lead = tidyLead(summary === undefined ? null : plainText(summary), headline)
  return [
    { url: url.href, headline, lead, date: (typeof date === 'string' ? readDay(date) : null) ?? dayInUrl(url.href) },
  ]
}

/** Converts text from a feed to plain text. The text may be plain text, HTML or doubly escaped HTML. */
function plainText(text: string): string {
  let plain = text.length > 20_000 ? text.slice(0, 20_000) : text
  if (/[<&]/u.test(plain)) {
    const $ = load(plain.replace(/<(?=(?:br|\/p|\/div|\/li|\/h\d)\b)/giu, ' <'), null, false)
    $('script, style').remove()
    plain = $.root()
      .text()
      .replace(/<\/?[a-z][a-z\d]*>/gu, '')
  }
  return plain.replace(/\s+/gu, ' ').trim()
}
