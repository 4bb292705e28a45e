import MailChecker from 'mailchecker'
import { readAlternatives, readWordSet } from '../../vocabulary/read-words.ts'

/** Mailboxes of a function rather than a person, by their local part. */
const ROLE = new RegExp(`^(${readAlternatives('emails/role-mailboxes')})(?:[._+-]?\\w{0,12})?$`, 'i')
const FREE_MAIL = readWordSet('emails/free-mail-domains')

/** Whether an address is a function's mailbox (`info@`, `sales@`, `careers@`). */
export function isRoleMailbox(address: string): boolean {
  const local = address.split('@')[0] ?? ''
  const match = ROLE.exec(local)
  // `itamar` and `prudence` start like a function's mailbox: the rest must be separated, or be a usual ending.
  return (
    match !== null &&
    (local.length === match[1]?.length ||
      /^[._+-]|^(us|team|desk|s|office|usa|uk|de|eu|\d+)$/i.test(local.slice(match[1]?.length ?? 0)))
  )
}

/** Whether an address is at a free mail service: it says nothing about the company's pattern. */
export function isFreeMail(address: string): boolean {
  return FREE_MAIL.has(address.split('@')[1]?.toLowerCase() ?? '')
}

/** Whether an address is disposable, by the list of `mailchecker`. */
export function isDisposable(address: string): boolean {
  const domain = address.split('@')[1]?.toLowerCase() ?? ''
  return domain !== '' && MailChecker.blacklist().has(domain)
}
