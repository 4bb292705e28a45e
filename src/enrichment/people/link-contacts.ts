import type { Element } from 'domhandler'
import { getDomain } from 'tldts'
import { NO_EMAIL } from '../../findings/person-fields.ts'
import type { PersonObservation } from '../../findings/provider.ts'
import type { Page } from '../extract/page.ts'
import { absoluteUrl, textOf } from '../extract/page.ts'
import { isRoleMailbox } from './emails/email-kinds.ts'
import { localPartsOf } from './emails/email-patterns.ts'
import { decodeCloudflare, findAddresses, mailtoAddress } from './emails/find-addresses.ts'
import { parseName } from './names/parse-name.ts'
import type { PagePerson } from './page/page-people.ts'

type Contact = Pick<PersonObservation, 'email' | 'email_status' | 'email_confidence' | 'phone' | 'social_url'>

const PROFILE =
  /^https?:\/\/([\w-]+\.)?(linkedin\.com\/(in|pub)\/.+|xing\.com\/(profile|people)\/.+|(twitter|x)\.com\/(?!share|intent|home)\w+\/?$)/i

/**
 * Reads contact data from each person's card or, if the page has no cards, from the content up to the next name.
 * Results are in the same order as `people`.
 */
export function linkContacts(page: Page, people: readonly PagePerson[], domain: string): Contact[] {
  const cards = new Set(people.map(({ card }) => card))
  const taken = new Map<string, number>()
  const found = people.map((person) => {
    const elements = [person.card, ...runAfter(person.card, cards)]
    const addresses = addressesIn(page, elements)
    for (const address of addresses) taken.set(address, (taken.get(address) ?? 0) + 1)
    return { person, elements, addresses }
  })
  return found.map(({ person, elements, addresses }) => ({
    ...emailFor(person.name, addresses, taken, domain),
    phone: phoneIn(page, elements),
    social_url:
      linksIn(page, elements)
        .map((href) => absoluteUrl(href, page.base) ?? '')
        .find((url) => PROFILE.test(url)) ?? null,
  }))
}

const MAX_RUN = 8

/**
 * Returns the siblings between a card and the next person. These siblings contain the person's data if the page has no
 * full cards.
 */
function runAfter(card: Element, cards: ReadonlySet<Element>): Element[] {
  const run: Element[] = []
  for (let next = card.nextSibling; next && run.length < MAX_RUN; next = next.nextSibling) {
    if (next.type !== 'tag') continue
    if (
      holdsCard(next, cards) ||
      (/^(h[1-6]|section|footer|nav)$/.test(next.name) && /^h[1-6]$/.test(card.name) && next.name <= card.name)
    )
      break
    run.push(next)
  }
  return run
}

function holdsCard(el: Element, cards: ReadonlySet<Element>): boolean {
  const stack: Element[] = [el]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (cards.has(node)) return true
    for (const child of node.children) if (child.type === 'tag') stack.push(child)
  }
  return false
}

function linksIn({ $ }: Page, elements: Element[]): string[] {
  return elements.flatMap((el) =>
    [...$(el).find('a[href]').addBack('a[href]').toArray()].map((link) => $(link).attr('href') ?? ''),
  )
}

function addressesIn(page: Page, elements: Element[]): string[] {
  const { $ } = page
  const linked = linksIn(page, elements).map(mailtoAddress)
  const hidden = elements
    .flatMap((el) => $(el).find('[data-cfemail]').addBack('[data-cfemail]').toArray())
    .map((el) => decodeCloudflare($(el).attr('data-cfemail') ?? ''))
  const visible = elements.flatMap((el) => findAddresses(textOf(el)))
  return [...new Set([...linked, ...hidden, ...visible])].filter((address) => address !== undefined)
}

/**
 * Chooses the address that matches the name or, if none matches, the card's only personal address that does not occur
 * in other cards.
 */
function emailFor(
  written: string,
  addresses: string[],
  taken: Map<string, number>,
  domain: string,
): Pick<Contact, 'email' | 'email_status' | 'email_confidence'> {
  const name = parseName(written)
  const fitting = addresses.find((address) => name && localPartsOf(name).has(address.split('@')[0] as string))
  const personal = addresses.filter((address) => !isRoleMailbox(address) && taken.get(address) === 1)
  const email = fitting ?? (personal.length === 1 ? (personal[0] as string) : null)
  if (!email) return NO_EMAIL
  const own = getDomain(email.split('@')[1] as string) === domain
  return { email, email_status: 'published', email_confidence: fitting ? (own ? 0.98 : 0.95) : own ? 0.9 : 0.8 }
}

function phoneIn(page: Page, elements: Element[]): string | null {
  const numbers = linksIn(page, elements)
    .filter((href) => /^tel:/i.test(href))
    .map((href) => decodeURIComponentOr(href.replace(/^tel:/i, '')).trim())
  return new Set(numbers).size === 1 ? (numbers[0] ?? null) : null
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
