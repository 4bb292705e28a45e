import { FirmPage, FirmQuery } from '../../contract/firms.ts'
import { createCountMemo } from '../../firms/count-memo.ts'
import { queryFirms } from '../../firms/query.ts'
import type { App, AppDeps } from '../deps.ts'

/** The firm query, which only reads although it uses POST. */
export function firmRoutes(app: App, { db, pool }: AppDeps): void {
  const memo = createCountMemo()

  app.post(
    '/firms',
    {
      config: { rateClass: 'read', scope: 'read' },
      schema: {
        operationId: 'queryFirms',
        tags: ['firms'],
        summary: 'Select, filter and order firms',
        description:
          'Page with a filter `lt.<last value>` on a unique order field (sec_number, crd_number), or with `cursor`, which supports any ' +
          'order. Text sorts in byte order. Null sorts lowest and matches only `is.null`.',
        body: FirmQuery,
        response: { 200: FirmPage },
      },
    },
    async (request, reply) => {
      // The generated serializer evaluates 80 unions per firm, which takes longer than the query. A test validates
      // responses instead.
      reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
      return await queryFirms({ db, pool }, request.body, memo)
    },
  )
}
