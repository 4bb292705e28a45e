import type { SampleCompany } from '../companies.ts'
import { slugOf } from '../people.ts'
import { escapeHtml } from './html.ts'
import type { NewsKind } from './plan.ts'

/** Returns the path of a story on its site. */
export const storyPath = (headline: string, place: number): string =>
  `/news/${slugOf(headline).slice(0, 60)}-${place + 1}`

export interface Feed {
  path: string
  type: string
  body: string
}

/** A company's RSS or Atom feed; null if the company has no feed. */
export function feedOf(company: SampleCompany, kind: NewsKind): Feed | null {
  const stories = company.stories.map((story, place) => ({
    ...story,
    url: `https://${company.domain}${storyPath(story.headline, place)}`,
    at: new Date(`${story.date}T09:30:00Z`),
  }))
  if (kind === 'atom')
    return {
      path: '/atom.xml',
      type: 'application/atom+xml',
      body: `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>${escapeHtml(company.name)}</title><id>https://${company.domain}/</id><updated>${new Date(stories[0]?.at ?? 0).toISOString()}</updated>${stories
        .map(
          ({ headline, url, at }) =>
            `<entry><title>${escapeHtml(headline)}</title><link href="${url}"/><id>${url}</id><updated>${at.toISOString()}</updated></entry>`,
        )
        .join('')}</feed>`,
    }
  if (kind === 'json feed')
    return {
      path: '/feed.json',
      type: 'application/feed+json',
      body: JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: company.name,
        items: stories.map(({ headline, url, at }) => ({
          id: url,
          url,
          title: headline,
          date_published: at.toISOString(),
        })),
      }),
    }
  if (kind === 'newsroom') return null
  return {
    path: '/rss.xml',
    type: 'application/rss+xml',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${escapeHtml(company.name)} News</title><link>https://${company.domain}/</link><description>News</description>${stories
      .map(
        ({ headline, url, at }) =>
          `<item><title>${escapeHtml(headline)}</title><link>${url}</link><guid>${url}</guid><pubDate>${at.toUTCString()}</pubDate></item>`,
      )
      .join('')}</channel></rss>`,
  }
}
