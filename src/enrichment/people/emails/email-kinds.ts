import MailChecker from 'mailchecker'

/** Mailboxes of a function, not of a person, by their part before the @. */
const ROLE =
  /^(info|information|contact(us)?|kontakt|contacto|hello|hi|hallo|bonjour|hola|office|buero|admin|administrator|webmaster|postmaster|hostmaster|abuse|noreply|no-reply|donotreply|mail|mailbox|email|general|enquir(y|ies)|inquir(y|ies)|support|help|helpdesk|service|services|customerservice|customercare|care|client(s|service|services)?|sales|vertrieb|marketing|media|press|presse|pr|news|newsletter|events?|jobs?|careers?|recruiting|recruitment|bewerbung|hr|people|team|staff|billing|invoices?|accounts?|accounting|buchhaltung|finance|legal|compliance|privacy|datenschutz|gdpr|dpo|security|it|tech|ir|investors?|investorrelations|operations|ops|orders?|shop|store|reservations?|booking|feedback|partners?|partnerships|advisors?|reception|welcome|ask|questions|zentrale|verwaltung|sekretariat|secretary|secretariat|direction|accueil|commercial|comercial|ventas|compta|rh)([._+-]?\w{0,12})?$/i
const FREE_MAIL = new Set(
  'gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.fr yahoo.de ymail.com rocketmail.com hotmail.com hotmail.co.uk hotmail.fr outlook.com outlook.de live.com msn.com aol.com icloud.com me.com mac.com gmx.de gmx.net gmx.com gmx.at web.de t-online.de freenet.de mail.com mail.ru yandex.ru yandex.com proton.me protonmail.com pm.me zoho.com fastmail.com hey.com comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net optonline.net juno.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it btinternet.com sky.com virginmedia.com ntlworld.com bluewin.ch hispeed.ch qq.com 163.com 126.com sina.com naver.com daum.net hanmail.net rediffmail.com uol.com.br bol.com.br terra.com.br shaw.ca rogers.com sympatico.ca telus.net bigpond.com optusnet.com.au xtra.co.nz'.split(
    ' ',
  ),
)

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
