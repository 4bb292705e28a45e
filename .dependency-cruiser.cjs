// Imports run downwards only. Each rule says what would be lost without it.
const production = '^(src|pipelines)/'
const rooms =
  'auth|units|rate-limits|companies|persons|firms|tal|tasks|enrichment|form-adv|webhooks|history|usage|stats|privacy|demo'
const domain = `^src/(${rooms})/`

const only = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: production, pathNot: to },
})
const fence = (name, pkg, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: production, pathNot: allowed },
  to: { path: `^node_modules/${pkg}/` },
})

module.exports = {
  forbidden: [
    only('lib-is-a-leaf', '^src/lib/', '^src/lib/', 'lib knows nothing of this product'),
    only('contract-is-a-leaf', '^src/contract/', '^src/contract/', 'the wire format depends on nothing'),
    only('client-is-standalone', '^src/client/', '^src/(client|contract|lib)/', 'a consumer needs only the client'),
    only('db-stays-below', '^src/db/', '^src/(db|lib|contract)/', 'tables know no rules'),
    only(
      'domain-knows-no-transport',
      domain,
      `${domain}|^src/(db|lib|contract)/`,
      'no HTTP, no queue loop, no CLI in the domain',
    ),
    only(
      'edges-call-the-domain',
      '^src/(http|worker|console)/',
      `^src/(http|worker|console|db|lib|contract)/|${domain}`,
      'an edge never reaches into the pipelines or the CLI',
    ),
    only(
      'pipelines-use-the-api',
      '^pipelines/',
      '^pipelines/|^src/(client|contract|lib)/',
      'over HTTP, like any customer',
    ),
    only(
      'config-is-read-at-the-top',
      '^src/config\\.ts$',
      '^src/(config\\.ts$|lib/)',
      'settings know nothing of rooms',
    ),
    {
      name: 'only-cli-reads-config',
      comment: 'everything below receives values',
      severity: 'error',
      from: { path: production, pathNot: '^src/(cli/|config\\.ts$)' },
      to: { path: '^src/config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: production },
      to: { path: '^test/' },
    },
    { name: 'no-cycles', comment: 'type-only ones count', severity: 'error', from: {}, to: { circular: true } },
    fence(
      'pg-in-lib-only',
      '(pg|@types/pg|pg-copy-streams)',
      '^src/lib/(postgres|prepared|copy|embedded-postgres)',
      'one door to the driver',
    ),
    fence('s3-in-one-place', '@aws-sdk', '^pipelines/snapshot/sinks/', 'a sink is the only thing that knows S3'),
    fence('yargs-in-cli', 'yargs', '^src/cli/', 'arguments are parsed at the top'),
    fence('cron-in-scheduler', 'node-cron', '^pipelines/', "waking up is the scheduler's alone"),
    fence('fastify-in-http', '(fastify|@fastify)', '^src/(http|console)/', 'HTTP stays at its edge'),
    fence('boss-in-its-room', 'pg-boss', '^src/(lib|tasks|worker|webhooks)/', 'the queue has few doors'),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
