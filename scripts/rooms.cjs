// The room table of ARCHITECTURE.md as data; test/suite/docs/architecture.test.ts compares the two.
const DOMAIN = [
  'audit',
  'auth',
  'units',
  'rate-limits',
  'companies',
  'persons',
  'firms',
  'matching',
  'spreadsheets',
  'tal',
  'tasks',
  'webhooks',
  'history',
  'usage',
  'stats',
  'privacy',
]
const FOUNDATION = ['personal-data', 'db', 'contract', 'lib']

/** The rooms of src, each with the other rooms that it may import. */
const ROOMS = {
  http: [...DOMAIN, 'findings', ...FOUNDATION],
  worker: [...DOMAIN, 'enrichment', 'findings', ...FOUNDATION],
  ...Object.fromEntries(DOMAIN.map((room) => [room, [...DOMAIN, 'findings', ...FOUNDATION]])),
  'form-adv': ['audit', 'firms', 'companies', 'persons', 'demo', ...FOUNDATION],
  enrichment: ['findings', 'db', 'contract', 'lib'],
  findings: ['contract', 'lib'],
  'personal-data': ['lib'],
  demo: [],
  db: ['contract', 'lib'],
  client: ['contract'],
  mcp: ['client', 'contract', 'lib'],
  contract: [],
  lib: [],
  config: ['lib'],
  pipelines: ['client', 'personal-data', 'contract', 'lib'],
  console: ['client', 'contract'],
}

module.exports = { DOMAIN, ROOMS }
