import pg from 'pg'

/** Reports whether PostgreSQL accepts connections at a URL. */
export async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  client.on('error', () => undefined)
  return await client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
