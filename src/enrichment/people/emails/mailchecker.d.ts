/** Types of the functions used, because the package ships none. */
declare module 'mailchecker' {
  const MailChecker: { blacklist(): ReadonlySet<string> }
  export = MailChecker
}
