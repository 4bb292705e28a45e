import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { copyIn, copyOut } from '../../../src/lib/copy.ts'
import { testDatabase } from '../../helpers/database.ts'

it('COPY writes and reads rows unchanged, including nulls and empty strings', async () => {
  await using service = await testDatabase('service')
  const client = await service.pool.connect()
  try {
    await client.query('create temp table note (id integer, body text)')
    const csv = '1,"a ""quoted"" word, and a\nline"\n2,\n3,""\n'
    expect(await copyIn(client, 'note', ['id', 'body'], Readable.from([csv]))).toBe(3)
    const { rows } = await client.query('select id, body from note order by id')
    expect(rows.map((row) => row.body)).toEqual(['a "quoted" word, and a\nline', null, ''])
    const copied = copyOut(client, 'select id, body from note order by id')
    expect(await text(copied.stream)).toBe(`id,body\n${csv}`)
    expect(copied.rows()).toBe(3)
  } finally {
    client.release()
  }
})
