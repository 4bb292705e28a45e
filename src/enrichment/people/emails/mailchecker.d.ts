/** The package has no types of its own; this is what is used of it. */
declare module 'mailchecker' {
  const MailChecker: { blacklist(): ReadonlySet<string> }
  export = MailChecker
}
