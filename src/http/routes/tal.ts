import { Type } from 'typebox'
import { audited } from '../../audit/audit-log.ts'
import { resolveClientId } from '../../auth/caller.ts'
import { TalAdded, TalAddition, TalPage, TalQuery, TalRemoval, TalRemoved } from '../../contract/tal.ts'
import { addMembers, listMembers, removeMembers } from '../../tal/tal-members.ts'
import { actorOf } from '../actor.ts'
import type { App, AppDeps } from '../deps.ts'
import { errorReplies } from '../plugins/documented-errors.ts'

const params = Type.Object({
  client_id: Type.String({ description: 'Your client ID or `me`.', examples: ['me'] }),
})

/** Routes for a client's target account list. Free. */
export function talRoutes(api: App, { db, freshDays }: AppDeps): void {
  const tags = ['target account lists']
  const url = '/v2/clients/:client_id/tal/companies'

  api.get(
    url,
    {
      config: { scope: 'lists' },
      schema: {
        tags,
        operationId: 'listTalCompanies',
        summary: 'List companies on a target account list',
        description:
          'Returns the companies on the list that match the filters, ordered by domain by default. To read a long list in this order, page with `cursor`: every page takes the same time, and changes to the list do not shift pages. Free.',
        params,
        querystring: TalQuery,
        response: { 200: TalPage, ...errorReplies(404, 422) },
      },
    },
    ({ caller, params, query }) => listMembers(db, resolveClientId(caller, params.client_id), { ...query, freshDays }),
  )

  api.post(
    url,
    {
      config: { scope: 'lists' },
      schema: {
        tags,
        operationId: 'addTalCompanies',
        summary: 'Add companies to a target account list',
        description:
          'Adds up to 10,000 domains or URLs, with attributes. Companies already on the list keep their tag; attributes in the request are set. Free.',
        params,
        body: TalAddition,
        response: { 200: TalAdded, ...errorReplies(404) },
      },
    },
    (request) => {
      const clientId = resolveClientId(request.caller, request.params.client_id)
      const details = ({ added, updated }: TalAdded) => ({
        added: added.length,
        updated: updated.length,
        source: request.body.source ?? null,
      })
      const change = { action: 'list.add', target: clientId, details }
      return audited(db, actorOf(request), change, (trx) => addMembers(trx, clientId, request.body))
    },
  )

  api.delete(
    url,
    {
      config: { scope: 'lists' },
      schema: {
        tags,
        operationId: 'removeTalCompanies',
        summary: 'Remove companies from a target account list',
        description: 'Removes up to 10,000 domains. Free.',
        params,
        body: TalRemoval,
        response: { 200: TalRemoved, ...errorReplies(404) },
      },
    },
    (request) => {
      const clientId = resolveClientId(request.caller, request.params.client_id)
      const details = ({ removed }: TalRemoved) => ({ removed: removed.length })
      const change = { action: 'list.remove', target: clientId, details }
      return audited(db, actorOf(request), change, (trx) => removeMembers(trx, clientId, request.body.domains))
    },
  )
}
