import type { SampleCompany } from '../companies.ts'
import { feedOf, storyPath } from './feeds.ts'
import type { Raw } from './html.ts'
import { html, raw } from './html.ts'
import { bodyMarkup, headMarkup } from './markup.ts'
import type { SitePlan } from './plan.ts'

/** A response from a site. */
export interface SiteResponse {
  status: number
  type: string
  body: Buffer
  headers?: Record<string, string>
  /** Delay in milliseconds. */
  delay?: number
}

/** A site's host names, and its responses by path. */
export interface BuiltSite {
  responses: Map<string, SiteResponse>
  /** Canonical host: the domain with or without `www.`. The other host redirects to the canonical host. */
  host: string
}

/** Builds all pages of a company's site. */
export function buildSite(company: SampleCompany, plan: SitePlan): BuiltSite {
  const encoding = plan.quirk === 'windows-1252' ? 'windows-1252' : 'utf-8'
  const pages = pagesOf(company, plan)
  const responses = new Map<string, SiteResponse>()
  for (const [path, page] of Object.entries(pages)) {
    const type = encoding === 'utf-8' ? 'text/html; charset=utf-8' : 'text/html'
    responses.set(path, {
      status: 200,
      type,
      body: encode(page.html, encoding),
      ...(plan.quirk === 'slow' && path !== '/' && { delay: 700 }),
    })
  }
  const feed = feedOf(company, plan.news)
  if (feed) responses.set(feed.path, { status: 200, type: feed.type, body: Buffer.from(feed.body) })
  company.stories.forEach((story, place) => {
    const body = shell(
      company,
      plan,
      story.headline,
      html`<article><h1>${story.headline}</h1><time datetime="${story.date}">${story.date}</time></article>`,
    )
    responses.set(storyPath(story.headline, place), {
      status: 200,
      type: 'text/html; charset=utf-8',
      body: Buffer.from(body.html),
    })
  })
  responses.set('/robots.txt', robots(company, plan))
  if (plan.quirk === 'sitemap only')
    responses.set('/sitemap.xml', {
      status: 200,
      type: 'application/xml',
      body: Buffer.from(sitemap(company, Object.keys(pages))),
    })
  if (plan.quirk === 'http redirect')
    responses
      .set('/', { status: 302, type: 'text/plain', body: Buffer.from(''), headers: { location: '/home.html' } })
      .set('/home.html', {
        status: 200,
        type: 'text/html; charset=utf-8',
        body: encode((pages['/'] as Raw).html, 'utf-8'),
      })
  if (plan.quirk === 'dead links') responses.delete(plan.paths.contact)
  return { responses, host: plan.quirk === 'moved to www' ? `www.${company.domain}` : company.domain }
}

function pagesOf(company: SampleCompany, plan: SitePlan): Record<string, Raw> {
  const { paths, labels } = plan
  const page = (title: string, body: Raw, head: Raw = raw('')): Raw => shell(company, plan, title, body, head)
  const feed = feedOf(company, plan.news)
  const link = feed ? html`<link rel="alternate" type="${feed.type}" title="News" href="${feed.path}">` : raw('')
  const hasNews = plan.news !== 'rss without newsroom'
  return {
    '/': page(
      plan.markup === 'bare' ? `${company.name} | Home` : company.name,
      html`<h1>Welcome</h1>${plan.markup === 'bare' ? html`<p>${company.description}</p>` : raw('')}${bodyMarkup(company, plan.markup)}`,
      html`${plan.markup === 'bare' ? html`<meta name="description" content="${company.description}">` : raw('')}${headMarkup(company, plan.markup)}${link}`,
    ),
    [paths.about]: page(`${labels.about} | ${company.name}`, html`<h1>${labels.about}</h1>${aboutText(company, plan)}`),
    [paths.team]: page(
      `${labels.team} - ${company.name}`,
      html`<h1>${labels.team}</h1>${plan.layout.show(company.people)}`,
    ),
    [paths.contact]: page(
      `${labels.contact} | ${company.name}`,
      html`<h1>${labels.contact}</h1>${addressBlock(company)}`,
    ),
    ...(hasNews && { [paths.news]: page(`${labels.news} | ${company.name}`, newsList(company, labels.news), link) }),
  }
}

/** True for sites that state their facts in plain text because their markup does not contain them. */
export const saysInWords = ({ markup }: SitePlan): boolean =>
  markup === 'bare' || markup === 'opengraph' || markup === 'h-card'

function aboutText(company: SampleCompany, plan: SitePlan): Raw {
  if (!saysInWords(plan)) return html`<p>We like long walks and short meetings.</p>`
  const headcount =
    company.place % 3 === 0
      ? html`<p>Today we are a team of ${company.employee_count} people.</p>`
      : html`<p>${company.name} employs ${company.employee_count} people.</p>`
  return html`<p>${company.name} was founded in ${company.founded_year}.</p>${headcount}<ul><li>Industry: ${company.industry}</li></ul>`
}

function addressBlock({ headquarters: place, phone }: SampleCompany): Raw {
  const town = place.state
    ? `${place.city}, ${place.state} ${place.postal_code}`
    : place.country_code === 'GB'
      ? `${place.city} ${place.postal_code}`
      : `${place.postal_code} ${place.city}`
  const country = place.country_code === 'US' ? raw('') : html`<br>${place.country}`
  return html`<address>${place.street}<br>${town}${country}</address>${phone ? html`<p>Phone: <a href="tel:${phone}">${phone}</a></p>` : raw('')}`
}

const newsList = ({ stories }: SampleCompany, title: string): Raw =>
  html`<h1>${title}</h1><ul class="news">${stories.map((story, place) => html`<li><time datetime="${story.date}">${longDate(story.date)}</time> <a href="${storyPath(story.headline, place)}">${story.headline}</a></li>`)}</ul>`

const longDate = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })

function shell(company: SampleCompany, plan: SitePlan, title: string, body: Raw, head: Raw = raw('')): Raw {
  const { paths, labels } = plan
  const kinds = (['about', 'team', 'news', 'contact'] as const).filter(
    (kind) => kind !== 'news' || plan.news !== 'rss without newsroom',
  )
  const menu =
    plan.quirk === 'sitemap only'
      ? raw('')
      : html`<nav><ul>${kinds.map((kind) => html`<li><a href="${paths[kind]}">${labels[kind]}</a></li>`)}<li><a href="/services">Services</a></li></ul></nav>`
  const meta =
    plan.quirk === 'windows-1252'
      ? html`<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">`
      : html`<meta charset="utf-8">`
  const words = saysInWords(plan)
    ? html`<div>${addressBlock(company)}<a href="${company.social_url}">LinkedIn</a></div>`
    : raw('')
  return html`<!doctype html>
<html lang="en"><head>${meta}<title>${title}</title>${head}</head>
<body><header><a href="/"><img class="logo" src="/img/logo.png" alt="${company.name} logo"></a>${menu}</header>
<main>${body}</main>
<footer>${words}<p>© ${company.founded_year + 5 > 2026 ? '' : `${company.founded_year + 5}–`}2026 ${company.legal_name}. All rights reserved.</p></footer></body></html>`
}

function robots(company: SampleCompany, plan: SitePlan): SiteResponse {
  const rules: Partial<Record<SitePlan['quirk'], string>> = {
    'robots refusal': 'User-agent: *\nDisallow: /\n',
    'partly refused': `User-agent: *\nDisallow: ${plan.paths.team}\n`,
    'sitemap only': `User-agent: *\nAllow: /\nSitemap: https://${company.domain}/sitemap.xml\n`,
  }
  const text = rules[plan.quirk]
  return text
    ? { status: 200, type: 'text/plain', body: Buffer.from(text) }
    : { status: 404, type: 'text/plain', body: Buffer.from('no rules here') }
}

const sitemap = (company: SampleCompany, paths: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>https://${company.domain}${path}</loc></url>`).join('')}</urlset>`

/**
 * Encodes a page. For windows-1252, encodes unsupported characters as character references, as old content management
 * systems do.
 */
function encode(text: string, encoding: 'utf-8' | 'windows-1252'): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  const outside = /[^\x20-\x7e\xa0-\xff\n]/gu
  return Buffer.from(
    text.replace(outside, (character) => `&#${character.codePointAt(0)};`),
    'latin1',
  )
}
