import { FirmPage, FirmQuery } from '../../contract/firms.ts'
import { createCountMemo } from '../../firms/count-memo.ts'
import { queryFirms } from '../../firms/query.ts'
import type { App, AppDeps } from '../deps.ts'

/** The firm query. A read, although it is a POST. */
export function firmRoutes(app: App, { db, pool }: AppDeps): void {
  const memo = createCountMemo()

  app.post(
    '/firms',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'queryFirms',
        tags: ['firms'],
        summary: 'Select, filter and order firms',
        description:
          'Page by a filter `lt.<last value received>` on the field of the order, which must be unique (sec_number, crd_number), or by `cursor`, ' +
          'which goes through any order without losing ties. Text compares in byte order. A firm without a value is smaller than all others ' +
          'in an order, and matches no filter but `is.null`.',
        body: FirmQuery,
        response: { 200: FirmPage },
      },
    },
    async (request, reply) => {
      // The generated serializer tries 80 unions a firm: it takes longer than the query. A test holds the reply against the schema.
      reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
      return await queryFirms({ db, pool }, request.body, memo)
    },
  )
}
