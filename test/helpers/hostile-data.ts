import type { ServerResponse } from 'node:http'
import type { Answer } from './web-server.ts'

type Site = Record<string, Answer | string> | Answer

const html = (body: string): string =>
  `<!doctype html><html><head><title>Hostile Ltd</title></head><body>${body}</body></html>`
const data = (json: string): string => html(`<script type="application/json">${json}</script>`)
const list = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join('')
const home = html('<nav><a href="/team">Team</a></nav>')
const json = (reply: ServerResponse, body: string): void =>
  void reply.setHeader('content-type', 'application/json').end(body)
/** A site whose people page has this body. */
const team = (page: Answer | string): Site => ({ '/': home, '/team': page })
/** A site whose people page loads `/data.json`. */
const loads = (answer: Answer): Site => ({
  '/': home,
  '/team': html('<script>fetch("/data.json")</script>'),
  '/data.json': answer,
})
/** Builds a site on which every path is a page; `body` generates the page from the path and query. */
const everywhere =
  (body: (path: string) => string): Answer =>
  ({ url = '/' }, reply) =>
    void (url === '/robots.txt' || url === '/sitemap.xml'
      ? reply.writeHead(404).end()
      : reply.setHeader('content-type', 'text/html').end(url === '/' ? home : html(body(url))))
const inside = (port: number | undefined): string => `http://127.0.0.1:${port}/secret.json`

/** Attacks on the readers of script data, on the link classifier and on the search for people, by site name. */
export const HOSTILE_DATA: Readonly<Record<string, Site>> = {
  'deep-script-json': team(data('[{"a":'.repeat(100_000))),
  'deep-valid-json': team(data(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
  'giant-script-array': team(data(`[${'{"name":"Ada Byron","role":"Partner"},'.repeat(25_000)}{}]`)),
  'records-of-many-fields': team(
    data(`[${list(60, (n) => `{${list(400, (key) => `"k${key}":"Word${n}",`)}"z":""},`)}{}]`),
  ),
  'numbered-state': team(data(`{"nuxt":[${list(50_000, (n) => `{"p":${n}},`)}0]}`)),
  'state-in-a-circle': team(
    html(`<script type="application/json" id="__NUXT_DATA__">[{"a":1},[0,1,2],{"b":1,"c":0},"x"]</script>`),
  ),
  'state-that-doubles': team(
    html(`<script type="application/json">[{"a":1},${list(40, (n) => `[${n + 2},${n + 2},${n + 2}],`)}"end"]</script>`),
  ),
  'assignments-without-end': team(html(`<script>${'window.a={"b":['.repeat(60_000)}</script>`)),
  'quotes-without-end': team(html(`<script>${'fetch("'.repeat(28_000)}</script>`)),
  'thousands-of-endpoints': team(html(`<script>${list(5000, (n) => `fetch("/api/${n}");`)}</script>`)),
  'endpoint-inside': team(({ socket }, reply) => {
    const url = inside(socket.localPort)
    reply.setHeader('content-type', 'text/html')
    reply.end(
      html(`<div data-api-url="${url}"></div><script>fetch("${url}");fetch("http://169.254.169.254/a.json")</script>`),
    )
  }),
  'endpoint-that-redirects-inside': loads(
    ({ socket }, reply) => void reply.writeHead(302, { location: inside(socket.localPort) }).end(),
  ),
  'endpoint-without-end': loads((_, reply) => {
    reply.setHeader('content-type', 'application/json').write('[')
    const write = (): void => {
      if (reply.destroyed) return
      if (reply.write('{"name":"Ada Byron","role":"Partner"},'.repeat(1000))) setImmediate(write)
      else reply.once('drain', write)
    }
    write()
  }),
  'endpoint-of-html': loads((_, reply) =>
    json(reply, '{"a":"</script><a href=/team/1>Ada Byron</a><script>fetch(\'/b.json\')"}'),
  ),
  'endpoint-of-endpoints': everywhere((path) => `<script>fetch("/api${path}/next")</script>`),
  'titles-that-backtrack': team(
    data(`[${list(4000, (n) => `{"name":"Ada Byron${'a'.repeat(n % 30)}","t":"${'a,&/ '.repeat(27)}"},`)}{}]`),
  ),
  'pages-without-end': everywhere((path) => {
    const page = Number(/\d+/.exec(path)?.[0] ?? 1)
    return `<h1>Team</h1><div><h3>Ada Byron</h3><p>Partner</p></div><a rel="next" href="/team?page=${page + 1}">Next</a>`
  }),
  'pages-in-a-circle': everywhere(
    (path) =>
      `<h1>Team</h1><a rel="next" href="/team?page=${/page=2/.test(path) ? 1 : 2}">Next</a><a href="/team">1</a>`,
  ),
  'subteams-without-end': everywhere((path) =>
    list(50, (n) => `<a href="${path}/team-${'abcdefgh'[n % 8]}${'x'.repeat(n)}">Our team</a>`),
  ),
  'profiles-without-end': everywhere(
    (path) => `<h1>Team</h1>${list(5000, (n) => `<li><a href="${path}/p${n}">Ada Byron</a></li>`)}`,
  ),
  'imprints-without-end': everywhere((path) => list(30, (n) => `<a href="${path}/imprint-${n}">Imprint</a>`)),
  'menu-of-long-texts': { '/': html(list(400, (n) => `<a href="/m${n}">${'people team '.repeat(1000)}</a>`)) },
  'menu-in-data': { '/': data(`[${list(25_000, (n) => `{"to":"/team${n}","label":"Our team"},`)}{}]`) },
  'texts-in-data': {
    '/': data(`[${list(2400, () => `"${'Founded in 1987 by a team of 45 in Denver, CO 80202. '.repeat(7)}",`)}""]`),
  },
}
