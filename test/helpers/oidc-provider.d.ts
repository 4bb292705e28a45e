declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  // biome-ignore lint/style/noDefaultExport: the package exports it
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
  }
}
