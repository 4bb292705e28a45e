import { describe, expect, it } from 'vitest'
import { serveRecords } from '../../helpers/service-with-records.ts'

const records = serveRecords()
const { get } = records

describe('GET /v2/stats', () => {
  it('the statistics are exact counts', async () => {
    const { body } = await get('/v2/stats')
    const { db } = records.service
    const companies = await db.selectFrom('company').selectAll().execute()
    const persons = await db.selectFrom('person').selectAll().execute()
    expect(body).toEqual({
      companies: {
        total: companies.length,
        enriched: companies.filter((row) => row.enriched_at).length,
        from_formadv: 0,
      },
      persons: {
        total: persons.length,
        enriched: persons.length,
        from_formadv: persons.filter((row) => row.in_formadv).length,
      },
    })
  })
})
