import type { SampleCompany } from '../companies.ts'
import type { Raw } from './html.ts'
import { html, raw } from './html.ts'
import type { Markup } from './plan.ts'

/** Returns the structured data in the head of the home page. */
export function headMarkup(company: SampleCompany, markup: Markup): Raw {
  if (markup === 'opengraph')
    return html`<meta property="og:site_name" content="${company.name}"><meta property="og:type" content="website"><meta property="og:description" content="${company.description}">`
  if (markup === 'json-ld')
    return script(JSON.stringify({ '@context': 'https://schema.org', ...organisation(company) }, null, 2))
  if (markup === 'json-ld graph') {
    const id = `https://${company.domain}/#org`
    const site = {
      '@type': 'WebSite',
      '@id': `https://${company.domain}/#site`,
      name: company.name,
      publisher: { '@id': id },
    }
    return script(
      JSON.stringify({ '@context': 'https://schema.org', '@graph': [site, { '@id': id, ...organisation(company) }] }),
    )
  }
  // Invalid JSON-LD, with a trailing comma, a comment and entities, as written by some content management systems.
  if (markup === 'broken json-ld')
    return script(
      JSON.stringify({ '@context': 'https://schema.org', ...organisation(company) }, null, 2)
        .replaceAll('&', '&amp;')
        .replace(/\n}$/, ',\n /* added by the theme */\n}'),
    )
  return raw('')
}

/** Returns the structured data in the body of the home page. */
export function bodyMarkup(company: SampleCompany, markup: Markup): Raw {
  const { headquarters: place } = company
  if (markup === 'microdata')
    return html`<section itemscope itemtype="https://schema.org/Organization"><h2 itemprop="name">${company.name}</h2><link itemprop="url" href="https://${company.domain}/"><p itemprop="description">${company.description}</p>
<p>Registered as <span itemprop="legalName">${company.legal_name}</span>, founded <time itemprop="foundingDate" datetime="${company.founded_year}">${company.founded_year}</time>.</p><meta itemprop="numberOfEmployees" content="${company.employee_count}">
<p itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">${place.street}</span>, <span itemprop="addressLocality">${place.city}</span>${place.state ? html`, <span itemprop="addressRegion">${place.state}</span>` : raw('')} <span itemprop="postalCode">${place.postal_code}</span> <meta itemprop="addressCountry" content="${place.country_code}"></p>
${company.phone ? html`<span itemprop="telephone">${company.phone}</span>` : raw('')}<a itemprop="sameAs" href="${company.social_url}">Follow us</a></section>`
  if (markup === 'h-card')
    return html`<div class="h-card"><a class="p-name p-org u-url" href="https://${company.domain}/">${company.name}</a> <p class="p-note">${company.description}</p>
<p class="p-adr h-adr"><span class="p-street-address">${place.street}</span>, <span class="p-locality">${place.city}</span>${place.state ? html`, <span class="p-region">${place.state}</span>` : raw('')} <span class="p-postal-code">${place.postal_code}</span>, <span class="p-country-name">${place.country}</span></p>
${company.phone ? html`<a class="p-tel" href="tel:${company.phone}">${company.phone}</a>` : raw('')}</div>`
  return raw('')
}

function organisation(company: SampleCompany): object {
  const { headquarters: place } = company
  return {
    '@type': company.is_adviser ? 'FinancialService' : 'Corporation',
    name: company.name,
    legalName: company.legal_name,
    url: `https://${company.domain}/`,
    description: company.description,
    industry: company.industry,
    foundingDate: String(company.founded_year),
    numberOfEmployees: { '@type': 'QuantitativeValue', value: company.employee_count },
    address: {
      '@type': 'PostalAddress',
      streetAddress: place.street,
      addressLocality: place.city,
      ...(place.state && { addressRegion: place.state }),
      postalCode: place.postal_code,
      addressCountry: place.country_code,
    },
    ...(company.phone && { telephone: company.phone }),
    logo: `https://${company.domain}/img/logo.png`,
    sameAs: [company.social_url],
  }
}

const script = (json: string): Raw => raw(`<script type="application/ld+json">\n${json}\n</script>`)
