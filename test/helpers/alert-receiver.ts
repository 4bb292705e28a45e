import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedRequest {
  path: string
  /** The JSON body; null if empty. */
  body: unknown
}

/** An operator's monitoring services: one HTTP server for webhooks, PagerDuty and heartbeats, and one for mail. */
export interface AlertReceiver extends AsyncDisposable {
  url: string
  smtpUrl: string
  requests: ReceivedRequest[]
  /** Messages as received, with headers. */
  mails: string[]
  /** Statuses of the next responses, in order. @default 202 */
  statuses: number[]
  /** Returns the bodies of the requests to a path. */
  at(path: string): unknown[]
}

export async function startAlertReceiver(): Promise<AlertReceiver> {
  const receiver: Pick<AlertReceiver, 'requests' | 'mails' | 'statuses'> = { requests: [], mails: [], statuses: [] }
  const http = createServer(async (request, response) => {
    const body = await text(request)
    const status = receiver.statuses.shift() ?? 202
    if (status < 300) receiver.requests.push({ path: request.url ?? '', body: body ? JSON.parse(body) : null })
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      done(password === 'secret' ? null : new Error('wrong password'), { user: username }),
    onData: (stream, _session, done) =>
      void text(stream).then((mail) => {
        receiver.mails.push(mail)
        done()
      }),
  })
  const listening = smtp.listen(0, '127.0.0.1')
  await Promise.all([once(http, 'listening'), once(listening, 'listening')])
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
  return {
    ...receiver,
    url: `http://127.0.0.1:${portOf(http)}`,
    smtpUrl: `smtp://operator:secret@127.0.0.1:${portOf(listening)}`,
    at: (path) => receiver.requests.filter((request) => request.path === path).map(({ body }) => body),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await Promise.all([once(http, 'close'), new Promise<void>((resolve) => smtp.close(resolve))])
    },
  }
}
