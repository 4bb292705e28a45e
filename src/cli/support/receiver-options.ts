import type { Config } from '../../config.ts'
import type { ReceiverOptions } from '../../webhooks/receivers.ts'

/** Where notifications may go, as the settings say. */
export const receiverOptions = ({ webhooks }: Config): ReceiverOptions => ({
  allowHttp: webhooks.allow_http,
  allowPrivate: webhooks.allow_private,
  ports: webhooks.ports,
})
