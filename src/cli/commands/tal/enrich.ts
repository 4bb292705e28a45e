import type { Handler } from '../../support/definition.ts'
import { openClient } from '../../support/open-client.ts'

interface Arguments {
  force: boolean
  'max-age-days': number | undefined
  'dry-run': boolean
}

export const enrichList: Handler<Arguments> = async (command, { force, ...args }) => {
  const { out, signal } = command
  const maxAge = args['max-age-days']
  const client = await openClient(command)
  const body = { force, dry_run: args['dry-run'], ...(maxAge !== undefined && { max_age_days: maxAge }) }
  const reply = await client.tal.enrich(body, { signal })
  out.result(reply, () =>
    reply.task_id === null
      ? `${reply.message} Cost: ${reply.units_required} of ${reply.units_remaining} remaining units.`
      : `${reply.message}\nWait for it: talhouse task wait ${reply.task_id}`,
  )
}
