import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../../helpers/raw-http.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const END = 'Host: talhouse.example\r\nConnection: close\r\n\r\n'

describe('malformed HTTP', () => {
  it.each([
    ['noise', '\x16\x03\x01\x02\r\n\r\n', 400, 'invalid_request'],
    ['a method that is none', `FETCH / HTTP/1.1\r\n${END}`, 400, 'invalid_request'],
    ['a version that is none', `GET / HTTP/9.9\r\n${END}`, 400, 'invalid_request'],
    ['a header without a colon', `GET / HTTP/1.1\r\nnonsense\r\n${END}`, 400, 'invalid_request'],
    ['two lengths', `POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n${END}hello`, 400, 'invalid_request'],
    [
      'a length beside chunks',
      `POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${END}0\r\n\r\n`,
      400,
      'invalid_request',
    ],
    ['no host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['headers of 20 KiB', `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(20_480)}\r\n${END}`, 431, 'headers_too_large'],
    ['a tunnel', `CONNECT elsewhere.example:443 HTTP/1.1\r\n${END}`, 405, 'method_not_allowed'],
    ['an expectation', `GET /health/live HTTP/1.1\r\nExpect: a-miracle\r\n${END}`, 417, 'expectation_failed'],
    ['a trace', `TRACE /health/live HTTP/1.1\r\n${END}`, 405, 'method_not_allowed'],
    ['a method of WebDAV', `PROPFIND /health/live HTTP/1.1\r\n${END}`, 405, 'method_not_allowed'],
    ['a path that does not decode', `GET /%E0%A4 HTTP/1.1\r\n${END}`, 400, 'invalid_request'],
    ['a path with NUL', `GET /v2/%00 HTTP/1.1\r\n${END}`, 404, 'not_found'],
  ])('responds to malformed HTTP (%s) with the standard error body', async (_, bytes, status, code) => {
    const reply = await sendRaw(service.url, bytes)
    expect(reply?.status).toBe(status)
    expect(reply?.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(reply?.body ?? '')).toEqual({
      detail: expect.stringMatching(/\.$/),
      code,
      request_id: expect.stringMatching(/^[\w-]{8,}$/),
    })
  })

  it('the service stays healthy after malformed HTTP', async () => {
    expect((await service.call('GET', '/health/live')).status).toBe(200)
  })
})
