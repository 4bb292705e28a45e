import type { Config } from '../../config.ts'
import type { ReceiverOptions } from '../../webhooks/receivers.ts'

/** Restrictions on webhook receivers from the settings. */
export const receiverOptions = ({ webhooks }: Config): ReceiverOptions => ({
  allowHttp: webhooks.allow_http,
  allowPrivate: webhooks.allow_private,
  ports: webhooks.ports,
})
