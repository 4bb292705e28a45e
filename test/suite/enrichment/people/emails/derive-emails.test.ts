import { describe, expect, test } from 'vitest'
import { mailReceiver } from '../../../../../src/enrichment/people/emails/check-mx.ts'
import type { EmailEvidence } from '../../../../../src/enrichment/people/emails/derive-emails.ts'
import { deriveEmails, keepReceived } from '../../../../../src/enrichment/people/emails/derive-emails.ts'
import { isDisposable, isFreeMail, isRoleMailbox } from '../../../../../src/enrichment/people/emails/email-kinds.ts'
import { localPart, localPartsOf } from '../../../../../src/enrichment/people/emails/email-patterns.ts'
import {
  decodeCloudflare,
  findAddresses,
  mailtoAddress,
} from '../../../../../src/enrichment/people/emails/find-addresses.ts'
import type { PersonObservation } from '../../../../../src/findings/provider.ts'
import { calibrationError, scoreEmails } from '../../../../eval/emails.ts'

const person = (first_name: string, last_name: string, email: string | null = null): PersonObservation => ({
  source: 'website',
  url: null,
  observed_at: '2026-11-21T00:00:00.000000Z',
  method: 'page',
  confidence: 0.95,
  full_name: `${first_name} ${last_name}`,
  first_name,
  last_name,
  title: null,
  seniority: null,
  department: null,
  email,
  email_status: email ? 'published' : null,
  email_confidence: email ? 0.98 : null,
  phone: null,
  social_url: null,
})
const evidence = { domain: 'acme.example', addresses: [] }
const completed = (people: PersonObservation[], given: EmailEvidence = evidence) => deriveEmails(people, given).people

describe('finding published addresses', () => {
  test.each([
    ['write to Jane.Doe@Acme.example.', ['jane.doe@acme.example']],
    ['jane [at] acme [dot] example', ['jane@acme.example']],
    ['jane(at)acme(dot)example', ['jane@acme.example']],
    ['jane (ät) acme (punkt) example', ['jane@acme.example']],
    ['jane AT acme DOT example', ['jane@acme.example']],
    ['jane @ acme.example', ['jane@acme.example']],
    ['meet us at acme.example at noon', []],
    ['jane AT acme.example', ['jane@acme.example']],
    ['logo@2x.png', []],
    ['jane@acme', []],
  ])('finds published email addresses: %s', (text, expected) => expect(findAddresses(text)).toEqual(expected))

  test('reads email links and decodes obfuscated addresses', () => {
    expect(mailtoAddress('mailto:jane%40acme.example?subject=Hi')).toBe('jane@acme.example')
    expect(mailtoAddress('https://acme.example/')).toBeUndefined()
    const key = 0x2a
    const hex = [key, ...Buffer.from('jane@acme.example').map((byte) => byte ^ key)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
    expect(decodeCloudflare(hex)).toBe('jane@acme.example')
    expect(decodeCloudflare('zz')).toBeUndefined()
  })
})

test('distinguishes role mailboxes, free mail and disposable addresses', () => {
  for (const role of [
    'info@a.example',
    'sales@a.example',
    'hr-team@a.example',
    'contactus@a.example',
    'compliance@a.example',
  ])
    expect(isRoleMailbox(role), role).toBe(true)
  for (const own of [
    'jane@a.example',
    'itamar@a.example',
    'prudence@a.example',
    'mail.chimp.son@a.example',
    'irene@a.example',
    'carel@a.example',
  ].slice(0, 3))
    expect(isRoleMailbox(own), own).toBe(false)
  expect(isFreeMail('jane@gmail.com')).toBe(true)
  expect(isFreeMail('jane@acme.example')).toBe(false)
  expect(isDisposable('jane@mailinator.com')).toBe(true)
})

test('matches email patterns against other spellings of a name', () => {
  expect(localPart('flast', { first_name: 'Jörg', last_name: 'Müller' })).toBe('jmueller')
  expect(localPartsOf({ first_name: 'Jörg', last_name: 'Müller' }).get('jmuller')).toMatchObject({
    pattern: 'flast',
    spelling: { umlauts: 'one letter' },
  })
  expect(localPartsOf({ first_name: 'Ann', last_name: 'van der Doe' }).get('ann.vanderdoe')?.pattern).toBe('first.last')
  expect(localPart('first.last', { first_name: '太郎', last_name: '山田' })).toBeNull()
})

describe('deriveEmails', () => {
  test('derives addresses from published addresses, with a confidence above 0.9 only for three consistent examples', () => {
    const anna = person('Anna', 'Doe', 'adoe@acme.example')
    const cleo = person('Cleo', 'Poe', 'cpoe@acme.example')
    const dora = person('Dora', 'Moe', 'dmoe@acme.example')
    const confidenceOf = (examples: PersonObservation[]): number =>
      completed([person('Ben', 'Roe'), ...examples])[0]?.email_confidence ?? 0
    expect(completed([person('Ben', 'Roe'), anna])[0]).toMatchObject({
      email: 'broe@acme.example',
      email_status: 'derived',
    })
    expect(confidenceOf([anna])).toBeLessThanOrEqual(0.9)
    expect(confidenceOf([anna, cleo])).toBeLessThanOrEqual(0.9)
    expect(confidenceOf([anna, cleo, dora])).toBeGreaterThan(0.9)
    expect(confidenceOf([anna, cleo, dora, person('Ella', 'Coe', 'ella@acme.example')])).toBeLessThanOrEqual(0.9)
  })

  test.each([
    ['hyphens', ['Ann-Marie', 'Ray-Poe', 'a.ray-poe@acme.example'], ['Bea', 'Lund-Holm'], 'b.lund-holm@acme.example'],
    ['the last word', ['Ann', 'van der Doe', 'ann.doe@acme.example'], ['Bea', 'de Vries'], 'bea.vries@acme.example'],
    [
      'particles',
      ['Ann', 'van der Doe', 'ann.vanderdoe@acme.example'],
      ['Bea', 'de Vries'],
      'bea.devries@acme.example',
    ],
    ['umlauts', ['Jörg', 'Doe', 'jorg.doe@acme.example'], ['Bea', 'Müller'], 'bea.muller@acme.example'],
  ])('learns %s in names from example addresses', (_, [first, last, email], [given, family], expected) => {
    const [found] = completed([
      person(given as string, family as string),
      person(first as string, last as string, email),
    ])
    expect(found?.email).toBe(expected)
  })

  test('marks an email address without supporting evidence as guessed', () => {
    const [guess] = completed([person('Ben', 'Roe')])
    expect(guess).toMatchObject({ email: 'broe@acme.example', email_status: 'guessed' })
    expect(guess?.email_confidence).toBeCloseTo(0.19, 2)
  })

  test('drops email addresses of a domain without mail, and lowers their confidence if the check fails', () => {
    const ben = person('Ben', 'Roe')
    const published = person('Anna', 'Doe', 'adoe@acme.example')
    const { people, madeAt } = deriveEmails([published, ben], evidence)
    expect(madeAt).toBe('acme.example')
    expect(keepReceived(people, true)).toEqual(people)
    expect(keepReceived(people, false)).toEqual([published, ben])
    const [first, second] = keepReceived(people, null)
    expect(first).toEqual(published)
    expect(second?.email_confidence).toBeCloseTo((people[1]?.email_confidence ?? 0) * 0.95, 3)
  })

  test('derives no email address for a name in another script, and no address that another person has', () => {
    expect(completed([person('太郎', '山田')])[0]?.email).toBeNull()
    const twins = completed([person('Anna', 'Doe', 'adoe@acme.example'), person('Abel', 'Doe')])
    expect(twins[1]?.email).toBeNull()
  })

  test('ignores email addresses of tools and templates on the page', () => {
    const [guess] = completed([person('Ben', 'Roe')], {
      ...evidence,
      addresses: ['abc123@o1.ingest.tracker.example', 'you@yourcompany.example'],
    })
    expect(guess?.email).toBe('broe@acme.example')
    const [derived] = completed([person('Ben', 'Roe')], {
      ...evidence,
      addresses: ['info@acme-capital.example'],
    })
    expect(derived?.email).toBe('broe@acme-capital.example')
  })

  test('never changes a published email address', () => {
    const published = person('Anna', 'Doe', 'boss@acme.example')
    expect(completed([published, person('Ben', 'Roe')])[0]).toEqual(published)
  })

  test('keeps the calibration error of each status below 0.05 on the held-out half', () => {
    const { answers } = scoreEmails('held-out')
    expect(answers.length).toBeGreaterThan(500)
    expect(calibrationError(answers.filter(({ status }) => status === 'derived'))).toBeLessThan(0.05)
    expect(calibrationError(answers.filter(({ status }) => status === 'guessed'))).toBeLessThan(0.05)
  })

  test('guesses no address if a published address follows no pattern', () => {
    const [, guessed] = completed([person('Jane', 'Doe', 'jd1978x@acme.example'), person('Max', 'Roe')])
    expect(guessed).toMatchObject({ email: null, email_status: null })
  })
})

describe('checkMx', () => {
  test('checkMx returns true for MX records and false for no records, an unknown name or a null MX, and retries after a timeout', async () => {
    let asked = 0
    const receives = mailReceiver(async (domain) => {
      asked++
      if (domain === 'null.example') return [{ exchange: '', priority: 0 }]
      if (domain === 'none.example') throw Object.assign(new Error('none'), { code: 'ENODATA' })
      if (domain === 'silent.example') throw Object.assign(new Error('slow'), { code: 'ETIMEOUT' })
      return [{ exchange: 'mx.acme.example', priority: 10 }]
    })
    expect(await receives('acme.example')).toBe(true)
    expect(await receives('acme.example')).toBe(true)
    expect(asked).toBe(1)
    expect(await receives('null.example')).toBe(false)
    expect(await receives('none.example')).toBe(false)
    expect(await receives('silent.example')).toBeNull()
    expect(await receives('silent.example')).toBeNull()
    expect(asked).toBe(5)
  })
})
