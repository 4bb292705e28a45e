import type { Config } from '../../config/schema.ts'
import type { ReceiverOptions } from '../../webhooks/receivers.ts'

/** Returns the configured restrictions on webhook receivers. */
export const receiverOptions = ({ webhooks }: Config): ReceiverOptions => ({
  allowHttp: webhooks.allow_http,
  allowPrivate: webhooks.allow_private,
  ports: webhooks.ports,
})
