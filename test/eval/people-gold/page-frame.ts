import type { Random } from './invented-people.ts'
import { pick } from './invented-people.ts'

export interface Firm {
  name: string
  domain: string
}

const FIRMS = [
  'Alderbrook Sample Capital',
  'Northwind Mock Industries',
  'Bluefield Test Advisors',
  'Harrowgate Demo Health',
  'Silverpine Example Legal',
  'Copperline Pretend Software',
  'Eastmere Invented Foundation',
  'Kestrel Placeholder Logistics',
]

export function inventFirm(random: Random, index: number): Firm {
  const name = pick(random, FIRMS)
  return { name, domain: `${name.split(' ')[0]?.toLowerCase()}-${index}.example` }
}

/** Wraps the content in a page with navigation, sidebar and footer. */
export function frame(firm: Firm, random: Random, title: string, content: string, head = ''): string {
  const chrome = pick(random, CHROME)
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title} | ${firm.name}</title>${head}</head>\n<body>\n${chrome(firm, content)}\n</body></html>\n`
}

const CHROME: ((firm: Firm, content: string) => string)[] = [
  (firm, content) => `<header><a href="/"><img src="/logo.svg" alt="${firm.name}"></a>
<nav><ul><li><a href="/about">About Us</a></li><li><a href="/team">Our Team</a></li><li><a href="/services">Wealth Planning</a></li><li><a href="/contact">Contact</a></li></ul></nav></header>
<main>${content}</main>
<section><h2>Ready to talk?</h2><p>Schedule a conversation with our team today.</p><a href="/contact">Get Started</a></section>
<footer><h4>${firm.name}</h4><p>100 Example Street, Suite 200<br>Springfield, IL 62701</p><p>(555) 010-0100</p><p>Copyright 2026. All Rights Reserved. <a href="/privacy">Privacy Policy</a></p></footer>`,
  (
    firm,
    content,
  ) => `<div id="top"><div class="logo">${firm.name}</div><div class="menu"><a href="/">Home</a> <a href="/who-we-are">Who We Are</a> <a href="/insights">Latest Insights</a> <a href="/careers">Join Us</a></div></div>
<div id="content">${content}</div>
<div id="bottom"><div><b>New York Office</b><br>1 Nowhere Plaza<br>New York, NY 10001</div><div><b>London Office</b><br>2 Nonesuch Lane<br>London</div><div>info@${firm.domain}</div></div>`,
  (
    firm,
    content,
  ) => `<div class="wrapper"><div class="row"><div class="col"><p>Client Login | Careers | Contact Us</p></div></div>
${content}
<div class="row"><div class="col"><h3>Our Services</h3><ul><li>Retirement Planning</li><li>Estate Strategies</li><li>Risk Management</li></ul></div><div class="col"><h3>Visit Us</h3><p>12 Imaginary Avenue, Grand Rapids, Michigan</p></div></div>
<div class="row small">${firm.name} is a fictional company. Past performance is no guarantee of future results.</div></div>`,
]
