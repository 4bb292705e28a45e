import { readFileSync } from 'node:fs'
import { mulberry32, randomOf } from '../../src/demo/seeded-random.ts'
import { parsePage } from '../../src/enrichment/extract/page.ts'
import { fixture, localeData, locales, phrases, sections, strings, titles, usable } from './words.ts'

/** An invented site whose pages state the company's business. */
export interface IndustryPages {
  domain: string
  name: string
  city: string
  /** The business with and without its adjective. */
  industries: readonly string[]
  pages: ReturnType<typeof parsePage>[]
}

const SEED = 20_261_124
const TEMPLATES = fixture('industry-sentences')
const PHRASES = Map.groupBy(
  fixture('industry-phrases').flatMap(([language = '', ...all]) => all.map((phrase) => ({ language, phrase }))),
  ({ language }) => language,
)
/** Kinds of businesses by language. A page gets a few of them, so that most phrases are not in the list. */
const KINDS = Map.groupBy(
  readFileSync(new URL('../../src/enrichment/company/naics/kinds.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, language = '', ...all] = line.split('\t')
      return all.map((phrase) => ({ language, phrase }))
    }),
  ({ language }) => language,
)
const KINDS_PER_PAGE = 20
const ADJECTIVES = new Map(
  fixture('industry-adjectives').map(([language = '', side, ...words]) => [language, { side, words }]),
)
const SENTENCES = Map.groupBy(fixture('company-facts'), ([language]) => language ?? '')
/** Labels of the business in fact sheets. Other languages use the English ones. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  en: ['Industry', 'Sector', 'Business', 'Line of business'],
  de: ['Branche', 'Tätigkeit', 'Geschäftsfeld'],
  fr: ['Secteur', 'Activité', "Secteur d'activité"],
  es: ['Sector', 'Actividad', 'Giro'],
  pt: ['Setor', 'Atividade', 'Ramo'],
  it: ['Settore', 'Attività'],
  nl: ['Branche', 'Sector', 'Activiteit'],
  sv: ['Bransch', 'Verksamhet'],
  da: ['Branche'],
  nb: ['Bransje', 'Virksomhet'],
  fi: ['Toimiala'],
  pl: ['Branża', 'Działalność'],
  cs: ['Obor', 'Obor činnosti'],
  hu: ['Tevékenység', 'Iparág'],
  ro: ['Domeniu', 'Activitate'],
  tr: ['Sektör', 'Faaliyet alanı'],
  ru: ['Отрасль', 'Деятельность'],
  uk: ['Галузь', 'Діяльність'],
  el: ['Κλάδος', 'Δραστηριότητα'],
  ja: ['事業内容', '業種'],
  ko: ['업종', '사업 내용'],
  zh: ['行业', '主营业务', '業務'],
  vi: ['Ngành nghề', 'Lĩnh vực'],
  id: ['Bidang usaha', 'Industri'],
}
const SYLLABLES = 'bra cor den fal gri hol jar kem lun mor nes pol rik sul tav vel wen zor'.split(' ')

/** Generates sites in all languages of `test/fixtures/training/industry-sentences.tsv`, about the same number each. */
export function industryPages(count: number): IndustryPages[] {
  const { between, chance, pick, sample } = randomOf(mulberry32(SEED))
  const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
  const invented = (): string => capital(`${pick(SYLLABLES)}${pick(SYLLABLES)}${chance(0.4) ? pick(SYLLABLES) : ''}`)
  return Array.from({ length: count }, (_, at) => {
    const [language = '', ...templates] = TEMPLATES[at % TEMPLATES.length] as string[]
    const listed = (KINDS.get(language) ?? []).map(({ phrase }) => phrase)
    const own = [...(PHRASES.get(language) ?? []).map(({ phrase }) => phrase), ...sample(listed, KINDS_PER_PAGE)]
    const { side, words } = ADJECTIVES.get(language) ?? { words: [] }
    const business = pick(own)
    const adjective = words.length > 0 && chance(0.3) ? pick(words) : ''
    const industry = (side === 'before' ? `${adjective} ${business}` : `${business} ${adjective}`).trim()
    const name = chance(0.5) ? invented() : `${invented()} ${capital(pick(SYLLABLES))}${pick(SYLLABLES)}`
    const locale = locales.find((one) => one === language) ?? locales.find((one) => one.startsWith(`${language}_`))
    const cities = strings(localeData(locale ?? 'en')['location']?.['city_name']).filter(usable)
    const city = cities.length > 0 ? pick(cities) : invented()
    const fill = (text: string): string => text.replaceAll('NAME', name).replaceAll('CITY', city)
    const describe = (template: string): string =>
      capital(fill(template.replace('{P}', /^\{P\}/u.test(template) ? capital(industry) : industry)))
    // Sentences about the company that do not state its business.
    const others = (SENTENCES.get(language) ?? [])
      .map(([, sentence = '']) => sentence.split('|').at(-1) ?? '')
      .filter((sentence) => sentence.length > 12)
      .map((sentence) =>
        fill(sentence.replaceAll('OTHER', `${invented()} ${invented()}`))
          .replace('{Y}', String(between(1900, 2020)))
          .replace('[N]', String(between(4, 300))),
      )
    const texts = [...phrases, ...titles, ...sections.map((one) => [one.language, one.text])]
      .filter(([code]) => code === language)
      .map(([, text = '']) => capital(text))
    const elsewhere = sample(own, 4).filter((one) => one !== business)
    const some = (items: readonly string[], most: number): string[] => sample(items, between(0, most))
    const hasSheet = chance(0.4)
    // Some sites state their business only in a fact sheet.
    const stated = hasSheet && chance(0.6) ? [] : sample(templates, between(1, 2)).map(describe)
    const dash = pick([' – ', ' | ', ' · ', ' - ', ': '])
    const title =
      stated.length > 0 && chance(0.3)
        ? `${name}${dash}${capital(industry)}${chance(0.4) ? `, ${city}` : chance(0.3) ? `${dash}${city}` : ''}`
        : chance(0.4)
          ? name
          : `${name}${dash}${pick([...texts, city])}`
    const meta = stated.length > 0 && chance(0.3) ? describe(pick(templates)) : chance(0.3) ? others[0] : undefined
    const inLine = (all: readonly string[], tag: string): string => all.map((one) => `<${tag}>${one}</${tag}>`).join('')
    const home = [
      ...inLine(some(texts, 4), 'h2').split(/(?=<h2>)/u),
      `<p>${[...stated, ...some(others, 2)].join(' ')}</p>`,
      ...some(others, 4).map((one) => `<p>${one}</p>`),
      // Services, and businesses of others, such as clients.
      ...some(elsewhere, 1).map((one) => `<h3>${capital(one)}</h3>`),
      ...some(elsewhere, 2).map((one) => `<p>${invented()} ${invented()}, ${one}</p>`),
      ...(chance(0.6)
        ? [`<p>${pick(cities.length > 0 ? cities : [city])} ${between(1000, 99_999)}</p>`, `<p>${city}</p>`]
        : []),
    ]
    const rows = [
      [pick(LABELS[language] ?? (LABELS['en'] as string[])), capital(industry)],
      ...texts.slice(0, 2).map((label, row) => [label, row === 0 ? name : city]),
    ]
    const sheet = chance(0.5)
      ? rows.map(([label, value]) => `<li>${label}: ${value}</li>`).join('')
      : `<table>${rows.map(([label, value]) => `<tr><th>${label}</th><td>${value}</td></tr>`).join('')}</table>`
    const about = `${inLine([...some(texts, 4), ...some(others, 4)], 'p')}${hasSheet ? sheet : ''}`
    const html = (heading: string, body: string, description?: string): string =>
      `<html lang="${language}"><head><title>${heading}</title>${description ? `<meta name="description" content="${description}">` : ''}</head><body><header><a href="/">${name}</a></header><main>${body}</main></body></html>`
    const domain = `${name.toLowerCase().replace(/[^a-z]/gu, '')}.example`
    return {
      domain,
      name,
      city,
      industries: [industry, business],
      pages: [html(title, sample(home, home.length).join(''), meta), html(`${pick(texts)} – ${name}`, about)].map(
        (page, index) => parsePage(page, `https://${domain}/${index === 0 ? '' : 'about'}`),
      ),
    }
  })
}
