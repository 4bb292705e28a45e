/** Types of the functions that talhouse uses, because the package contains no types. */
declare module 'mailchecker' {
  const MailChecker: { blacklist(): ReadonlySet<string> }
  export = MailChecker
}
