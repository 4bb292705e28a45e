import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { systemCode } from '../../src/lib/errors.ts'
import { withClient, withDatabase } from '../../src/lib/postgres.ts'

const OBJECT_IN_USE = '55006'
const ATTEMPTS = 50

/** Creates a database with the Citus extension on every node. `nodes` starts with the coordinator. */
export async function createClusterDatabase(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) {
    await withClient(node, async (client) => {
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
      await client.query(`create database ${pg.escapeIdentifier(name)}`)
    })
    await withClient(withDatabase(node, name), (client) => client.query('create extension citus'))
  }
  const [coordinator = '', ...workers] = nodes
  await withClient(withDatabase(coordinator, name), async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', address(coordinator))
    for (const worker of workers) await client.query('select citus_add_node($1, $2)', address(worker))
  })
}

function address(node: string): [host: string, port: number] {
  const { hostname, port } = new URL(node)
  return [hostname, Number(port)]
}

/**
 * Clones a database on every node. The clone is a separate distributed database, because Citus connects to the database
 * of the same name on the other nodes.
 */
export async function cloneClusterDatabase(nodes: readonly string[], template: string, name: string): Promise<void> {
  await Promise.all(nodes.map((node) => withClient(node, (client) => cloneOnNode(client, template, name))))
}

const cloneOnNode = (client: pg.ClientBase, template: string, name: string): Promise<void> =>
  whenUnused(
    client,
    template,
    `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)} strategy file_copy`,
  )

/**
 * Runs a statement that fails while a database is in use. Citus's maintenance process connects to the database again
 * and again.
 */
async function whenUnused(client: pg.ClientBase, database: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
    try {
      await client.query(statement)
      return
    } catch (error) {
      if (systemCode(error) !== OBJECT_IN_USE || attempt === ATTEMPTS) throw error
      await wait(100)
    }
  }
}

export async function dropClusterDatabase(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes)
    await withClient(node, (client) =>
      whenUnused(client, name, `drop database ${pg.escapeIdentifier(name)} with (force)`),
    )
}
