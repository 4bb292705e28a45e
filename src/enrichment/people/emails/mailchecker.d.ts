/** Type declarations for the functions that talhouse uses, because the package includes none. */
declare module 'mailchecker' {
  const MailChecker: { blacklist(): ReadonlySet<string> }
  export = MailChecker
}
