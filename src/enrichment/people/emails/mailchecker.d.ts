/** Type declarations for the functions that talhouse uses. The package does not include type declarations. */
declare module 'mailchecker' {
  const MailChecker: { blacklist(): ReadonlySet<string> }
  export = MailChecker
}
