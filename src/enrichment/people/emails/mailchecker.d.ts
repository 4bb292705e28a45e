/** The package ships no types; these cover what is used. */
declare module 'mailchecker' {
  const MailChecker: { blacklist(): ReadonlySet<string> }
  export = MailChecker
}
