import MailChecker from 'mailchecker'
import { readAlternatives, readWordSet } from '../../vocabulary/read-words.ts'

/** Mailboxes of a function, not of a person, by their part before the @. */
const ROLE = new RegExp(`^(${readAlternatives('emails/role-mailboxes')})(?:[._+-]?\\w{0,12})?$`, 'i')
const FREE_MAIL = readWordSet('emails/free-mail-domains')

/** True for `info@`, `sales@`, `careers@` and their like: nobody's own address. */
export function isRoleMailbox(address: string): boolean {
  const local = address.split('@')[0] ?? ''
  const match = ROLE.exec(local)
  // `itamar` and `prudence` begin like mailboxes of a function: what follows must be set apart, or be one of its usual endings
  return (
    match !== null &&
    (local.length === match[1]?.length ||
      /^[._+-]|^(us|team|desk|s|office|usa|uk|de|eu|\d+)$/i.test(local.slice(match[1]?.length ?? 0)))
  )
}

/** True for addresses that anybody can have: they say nothing about the company's own pattern. */
export function isFreeMail(address: string): boolean {
  return FREE_MAIL.has(address.split('@')[1]?.toLowerCase() ?? '')
}

/** True for throw-away domains, by the list of `mailchecker`. */
export function isDisposable(address: string): boolean {
  const domain = address.split('@')[1]?.toLowerCase() ?? ''
  return domain !== '' && MailChecker.blacklist().has(domain)
}
