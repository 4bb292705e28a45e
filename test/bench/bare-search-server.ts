/**
 * Minimal search server: bare fastify and pg, substring matches in key order, without a total. Arguments: database URL.
 */
import fastify from 'fastify'
import pg from 'pg'
import { COMPANY_COLUMNS } from '../../src/companies/read-companies.ts'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 20 })
pool.on('error', () => undefined) // Ignores errors on idle connections, because the database stops before this process.
const PERSON = 'email_hash, email, full_name, title, seniority, company_domain'
const STATEMENTS: Record<string, string> = {
  '/v2/companies query': `select ${COMPANY_COLUMNS} from company where search_text like $1 order by domain limit 50`,
  '/v2/companies state': `select ${COMPANY_COLUMNS} from company where lower(headquarters_state) = $1 order by domain limit 50`,
  '/v2/companies ': `select ${COMPANY_COLUMNS} from company order by domain limit 50`,
  '/v2/persons query': `select ${PERSON} from person where lower(full_name) like $1 order by company_domain, person_id limit 50`,
  '/v2/persons title': `select ${PERSON} from person where lower(title) like $1 order by company_domain, person_id limit 50`,
  '/v2/persons seniority': `select ${PERSON} from person where seniority = $1 order by company_domain, person_id limit 50`,
  '/v2/persons company_domain': `select ${PERSON} from person where company_domain = $1 order by person_id limit 50`,
  '/v2/persons ': `select ${PERSON} from person order by company_domain, person_id limit 50`,
}
const app = fastify()
for (const path of ['/v2/companies', '/v2/persons'])
  app.get(path, async ({ query }) => {
    const [[name = '', value = ''] = []] = Object.entries(query as Record<string, string>)
    const like = name === 'query' || name === 'title'
    const values = name === '' ? [] : [like ? `%${value.toLowerCase()}%` : value.toLowerCase()]
    return (await pool.query(STATEMENTS[`${path} ${name}`] ?? '', values)).rows
  })
process.stdout.write(`${JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })}\n`)
