import type { GoldPerson } from './invented-people.ts'

const each = (people: GoldPerson[], draw: (person: GoldPerson, index: number) => string): string =>
  people.map(draw).join('\n')

/**
 * Page sections with names, titles and capitalized text, but without the company's people. There is one list per half.
 */
export const NEGATIVES: Record<'dev' | 'held-out', Record<string, (people: GoldPerson[]) => string>> = {
  dev: {
    testimonials: (people) =>
      `<h2>What Our Clients Say</h2>${each(people, ({ name, title }) => `<div class="slide"><p>“They took the time to understand what my family needs, and I sleep better.”</p><h4>${name}</h4><p>${title}, Otherwhere Inc.</p></div>`)}`,
    'blog-authors': (people) =>
      `<h1>Latest Insights</h1>${each(people, ({ name, title }, i) => `<article><h2>Five Things To Know About Markets</h2><p>By ${name}</p><p>${title}</p><p>March ${i + 3}, 2026</p></article>`)}`,
    vacancies: (people) =>
      `<h1>Open Positions</h1><ul>${each(people, ({ title }) => `<li><h3>${title}</h3><p>Springfield, Full-time</p><a href="#">Apply Now</a></li>`)}</ul>`,
    products: () =>
      `<h1>Our Products</h1>${['Atlas Cloud', 'Quantum Ledger', 'Summit Analytics Pro', 'Falcon Vision', 'Harbor Payments'].map((name) => `<div><h3>${name}</h3><p>Portfolio accounting for advisers</p></div>`).join('')}`,
    offices: () =>
      `<h1>Our Offices</h1>${['Grand Rapids', 'Salt Lake City', 'San Antonio', 'Baton Rouge', 'Des Moines'].map((name) => `<div><h3>${name}</h3><p>100 Example Street</p><p>Regional Headquarters</p></div>`).join('')}`,
    services: () =>
      `<h1>What We Do</h1>${['Wealth Management', 'Tax Planning', 'Estate Strategies', 'Charitable Giving', 'Business Owners'].map((name) => `<div><h3>${name}</h3><p>Advice for every stage of life</p></div>`).join('')}`,
  },
  'held-out': {
    testimonials: (people) =>
      `<section><h3>Client Testimonials</h3>${each(people, ({ name, title }) => `<blockquote><p>Working with this firm changed how we think about money.</p><footer><strong>${name}</strong>, ${title}, Elsewhere Ltd</footer></blockquote>`)}</section>`,
    'blog-authors': (people) =>
      `<h1>News & Perspectives</h1>${each(people, ({ name, title }, i) => `<div class="post"><a href="#">Why Rates Matter</a><div class="meta"><span>${name}</span><span>${title}</span><span>2026-02-1${i % 9}</span></div></div>`)}`,
    vacancies: (people) =>
      `<h2>Join Our Team</h2>${each(people, ({ title }) => `<div><b>${title}</b><br>Reports to Chief Operating Officer</div>`)}`,
    products: () =>
      `<h2>The Platform</h2><ul>${['Beacon Insight', 'Meridian Trade', 'Vector Compliance', 'Orbit Reporting', 'Nova Risk'].map((name) => `<li><b>${name}</b> – Compliance manager for small firms</li>`).join('')}</ul>`,
    clients: () =>
      `<h2>Selected Clients</h2>${['Harper Collins', 'Ernst Young', 'Johnson Matthey', 'Brooks Brothers', 'Morgan Stanley'].map((name) => `<div><h4>${name}</h4><p>Financial Services</p></div>`).join('')}`,
    locations: () =>
      `<h2>Find an office</h2><table>${['Cedar Falls', 'Santa Fe', 'Fort Worth', 'Palo Alto', 'Boca Raton'].map((name) => `<tr><td>${name}</td><td>Branch office</td><td>555-010-0100</td></tr>`).join('')}</table>`,
  },
}
