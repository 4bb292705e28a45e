/** Searches the guide. The index of all sections is loaded from the service when the search field receives focus. */
import MiniSearch from 'minisearch'
import '../styles/tokens.css'
import './guide.css'

interface Entry {
  readonly url: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

const MAX_RESULTS = 12

const get = <Type extends HTMLElement>(selector: string): Type => document.querySelector(selector) as Type
const input = get<HTMLInputElement>('#search')
const results = get<HTMLUListElement>('#results')
const found = get<HTMLParagraphElement>('#found')
get('search').hidden = false

let index: Promise<MiniSearch<Entry>> | undefined

async function load(): Promise<MiniSearch<Entry>> {
  const entries = (await (await fetch('/guide/search.json')).json()) as Entry[]
  const search = new MiniSearch<Entry>({
    idField: 'url',
    fields: ['heading', 'page', 'text'],
    storeFields: ['url', 'page', 'heading', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  })
  search.addAll(entries)
  return search
}

async function show(): Promise<void> {
  const query = input.value.trim()
  index ??= load()
  const hits = query === '' ? [] : (await index).search(query).slice(0, MAX_RESULTS)
  if (query !== input.value.trim()) return
  results.replaceChildren(...hits.map((hit) => item(hit as unknown as Entry, query)))
  results.hidden = hits.length === 0
  found.textContent = query === '' ? '' : `${hits.length} results`
}

function item({ url, page, heading, text }: Entry, query: string): HTMLLIElement {
  const link = document.createElement('a')
  link.href = url
  const title = document.createElement('strong')
  title.textContent = heading === page ? page : `${page}: ${heading}`
  const excerpt = document.createElement('span')
  const at = Math.max(0, text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0] ?? '') - 40)
  excerpt.textContent = text.slice(at, at + 140)
  link.append(title, excerpt)
  const entry = document.createElement('li')
  entry.append(link)
  return entry
}

function move(by: number): void {
  const links = [...results.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement) + by
  if (at < 0) input.focus()
  else links[Math.min(at, links.length - 1)]?.focus()
}

input.addEventListener('focus', () => {
  index ??= load()
})
input.addEventListener('input', () => void show())
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault()
    input.focus()
  } else if (event.key === 'Escape') {
    results.hidden = true
    input.blur()
  } else if (!results.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    move(event.key === 'ArrowDown' ? 1 : -1)
  } else if (event.key === 'Enter' && document.activeElement === input) results.querySelector('a')?.click()
})
