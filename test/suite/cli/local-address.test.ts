import { expect, it } from 'vitest'
import { localAddress } from '../../../src/cli/support/service-key.ts'

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['api.example.com', 'http://api.example.com:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://127.0.0.1:8080'],
  ['::1', 'http://[::1]:8080'],
  ['fd00::7', 'http://[fd00::7]:8080'],
])('reaches a service that listens on %s at %s', (host, url) => {
  expect(localAddress({ host, port: 8080 })).toBe(url)
})
