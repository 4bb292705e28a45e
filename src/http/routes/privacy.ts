import { Erasure, ErasureFeed, ErasureFeedQuery, ErasureRequest } from '../../contract/privacy.ts'
import type { ErasureReport } from '../../privacy/erase-person.ts'
import { erasePerson, previewErasure } from '../../privacy/erase-person.ts'
import { readErasureFeed } from '../../privacy/erasures.ts'
import { checkDescription } from '../../privacy/person-description.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

/**
 * Routes for erasure by any identifier, and for the feed of erasures, from which copies of the data are updated. These
 * routes are talhouse extensions.
 */
export function privacyRoutes(api: App, { db, formAdvNames }: AppDeps): void {
  const tags = ['privacy']

  api.post(
    '/v2/privacy/erasures',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        operationId: 'createErasure',
        summary: 'Erase a person by any identifier',
        description:
          'Erases a person identified by email, email_hash, person_id, social_url, or full_name with company_domain, and suppresses the person in future enrichments. Affects all clients. talhouse extension.',
        body: ErasureRequest,
        response: { 200: Erasure, ...errorReplies(404, 422) },
      },
    },
    async (request) => {
      const { dry_run, ...description } = request.body
      const options = { actor: actorOf(request), formAdvNames }
      const person = checkDescription(description)
      return toReply(await (dry_run ? previewErasure : erasePerson)(db, person, options))
    },
  )

  api.get(
    '/v2/privacy/erasures',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'listErasures',
        summary: 'List erasures',
        description:
          'Returns the erasures after a position, oldest first, with keyed hashes of the erased identifiers, so that copies of the data can be erased too. Free. talhouse extension.',
        querystring: ErasureFeedQuery,
        response: { 200: ErasureFeed },
      },
    },
    ({ query }) => readErasureFeed(db, query),
  )
}

const toReply = ({ erasure_id, places }: ErasureReport) => ({
  erasure_id,
  places: places.flatMap(({ isOfClient, ...place }) => (isOfClient ? [] : [place])),
})
