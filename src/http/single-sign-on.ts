/** Sign-in to the console with an OpenID Connect provider. */
export interface SingleSignOn {
  /** The provider's issuer URL, from which its configuration is discovered. */
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** The callback URL, as registered with the provider. If empty, the URL is derived from the request. */
  redirectUrl: string
  /** The client that owns the keys with which users sign in. */
  talhouseClient: string
}
