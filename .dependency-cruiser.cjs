// Imports point downwards only: scripts/rooms.cjs says which room may import which.
const { ROOMS } = require('./scripts/rooms.cjs')

const production = '^(src|pipelines|console)/'
const pathOf = (room) =>
  room === 'pipelines' || room === 'console'
    ? `^${room}/`
    : `^src/${room.replace('.', '\\.')}${room.includes('.') ? '$' : '/'}`

const rooms = Object.entries(ROOMS).map(([room, allowed]) => ({
  name: `room-${room.replace('.', '-')}`,
  severity: 'error',
  from: { path: pathOf(room) },
  to: { path: production, pathNot: [room, ...allowed].map(pathOf) },
}))

const fence = (name, pkg, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: production, pathNot: allowed },
  to: { path: `^node_modules/${pkg}/` },
})

module.exports = {
  forbidden: [
    ...rooms,
    {
      name: 'only-cli-reads-config',
      comment: 'everything below receives values',
      severity: 'error',
      from: { path: production, pathNot: '^src/(cli/|config\\.ts$)' },
      to: { path: '^src/config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-needs-only-the-platform',
      comment: 'it runs in browsers: no packages, no node: modules',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { pathNot: '^src/(client|contract)/' },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: production },
      to: { path: '^(test|scripts)/' },
    },
    {
      name: 'no-cycles',
      comment: 'type-only imports count',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-folder-cycles',
      comment: 'merge two folders that import each other',
      severity: 'error',
      scope: 'folder',
      from: { path: production },
      to: { circular: true },
    },
    fence(
      'pg-in-lib-only',
      '(pg|@types/pg|pg-copy-streams)',
      '^src/lib/(postgres|prepared|copy|embedded-postgres)',
      'only these files may import the driver',
    ),
    fence('s3-in-one-place', '@aws-sdk', '^pipelines/sinks/', 'only the S3 sink may use S3'),
    fence('cron-in-scheduler', 'node-cron', '^pipelines/runner/', 'only the scheduler may use cron'),
    fence('fastify-in-http', '(fastify|@fastify)', '^src/http/', 'only src/http may use the web framework'),
    fence('mcp-sdk-in-one-place', '@modelcontextprotocol', '^src/mcp/sdk\\.ts$', 'the build bundles this file'),
    fence('boss-in-its-rooms', 'pg-boss', '^src/(lib|tasks|worker|webhooks)/', 'only these rooms may use the queue'),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
