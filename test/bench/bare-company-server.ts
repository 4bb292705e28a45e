/**
 * Minimal server for company records: bare fastify and pg with the same query. Arguments: database URL, connections.
 */
import fastify from 'fastify'
import pg from 'pg'
import { COMPANY_COLUMNS } from '../../src/companies/read-companies.ts'

const [url = '', connections = '20'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: Number(connections) })
pool.on('error', () => undefined) // Ignores errors on idle connections, because the database stops before this process.
const text = `select ${COMPANY_COLUMNS.join(', ')} from company where domain = $1`
const app = fastify()
app.get('/v2/companies/:domain', async (request) => {
  const { rows } = await pool.query(text, [(request.params as { domain: string }).domain])
  return rows[0]
})
process.stdout.write(`${JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })}\n`)
