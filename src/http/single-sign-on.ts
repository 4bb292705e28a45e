/** Sign-in to the console with an OpenID Connect provider. */
export interface SingleSignOn {
  /** The provider's issuer URL, from which its configuration is discovered. */
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** The callback URL, as registered with the provider. If empty, it is derived from the request. */
  redirectUrl: string
  /** The client whose keys users sign in with. */
  talhouseClient: string
}
