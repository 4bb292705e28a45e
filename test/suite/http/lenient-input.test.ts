import { describe, expect, it } from 'vitest'
import { serveRecords } from '../../helpers/service-with-records.ts'

const records = serveRecords()
const { get } = records

describe('lenient input', () => {
  it.each(['True', 'TRUE', 'true'])('accepts %s as a boolean parameter', async (value) => {
    const { status, body } = await get(`/v2/companies/acme.example?include_provenance=${value}`)
    expect(status).toBe(200)
    expect(body).toHaveProperty('provenance')
  })

  it('ignores a trailing slash in a path', async () => {
    expect((await get('/v2/companies/acme.example/')).status).toBe(200)
    expect((await get('/v2/stats/?')).status).toBe(200)
    expect((await get('/v2/nothing/')).status).toBe(404)
  })

  it.each(['callback_url', 'force', 'include_leadership'])('treats %s: null as absent', async (name) => {
    const body = { domain: 'acme.example', [name]: null }
    expect((await records.service.call('POST', '/v2/enrich/company', { body })).status).toBe(200)
  })
})
