import { expect, test } from 'vitest'
import type { FirmChange } from '../../../../../src/enrichment/providers/form-adv/firm-change.ts'
import { signalsOfFirmChanges } from '../../../../../src/enrichment/providers/form-adv/firm-changes.ts'

const options = { name: 'Larchwood Wealth', observedAt: '2026-11-20T00:00:00.000000Z' }
const change = (field: string, old_value: unknown, new_value: unknown, as_of = '2026-10-01'): FirmChange => ({
  crd_number: 123456,
  field,
  old_value,
  new_value,
  as_of,
})
const told = (...changes: FirmChange[]) =>
  signalsOfFirmChanges(changes, options).map(({ type, headline }) => [type, headline])

test.each([
  [change('employee_count', 20, 31), 'Expansion', 'Larchwood Wealth: employees from 20 to 31 (Form ADV)'],
  [change('other_office_count', 0, 1), 'Expansion', 'Larchwood Wealth: additional offices from 0 to 1 (Form ADV)'],
  [
    change('notice_states', ['CA', 'NY'], ['CA', 'NY', 'TX']),
    'Expansion',
    'Larchwood Wealth: notice filings in 1 more state: TX (Form ADV)',
  ],
  [
    change('sec_status', '120-Day Approval', 'Approved'),
    'Regulatory',
    'Larchwood Wealth: SEC status from 120-Day Approval to Approved (Form ADV)',
  ],
  [
    change('disciplinary_history', false, true),
    'Regulatory',
    'Larchwood Wealth: now discloses disciplinary history (Item 11) (Form ADV)',
  ],
  [
    change('4A', 'N', 'Y'),
    'Acquisition',
    'Larchwood Wealth: is succeeding to the business of another adviser (Item 4) (Form ADV)',
  ],
  [change('11D(2)', 'N', 'Y'), 'Regulatory', 'Larchwood Wealth: now answers yes to Item 11D(2) (Form ADV)'],
  [change('gone', false, true), 'Regulatory', "Larchwood Wealth: no longer on the SEC's roster (Form ADV)"],
])('returns a signal for the firm change %o', (one, type, headline) => {
  expect(told(one)).toEqual([[type, headline]])
})

test.each([
  change('employee_count', 20, 22),
  change('employee_count', 100, 110),
  change('employee_count', null, 40),
  change('employee_count', 0, 40),
  change('employee_count', 31, 20),
  change('notice_states', ['CA', 'NY'], ['CA']),
  change('disciplinary_history', true, false),
  change('phone', '1', '2'),
  change('gone', true, false),
  change('4A', 'Y', 'N'),
])('returns no signal for the firm change %o', (one) => {
  expect(told(one)).toEqual([])
})

test('returns changes of one type in one roster as one signal with its evidence', () => {
  const signals = signalsOfFirmChanges(
    [
      change('employee_count', 20, 31),
      change('other_office_count', 1, 2),
      change('sec_status', null, 'Approved'),
      change('other_office_count', 0, 1, '2026-07-01'),
    ],
    options,
  )
  expect(signals.map(({ type, date }) => [type, date])).toEqual([
    ['Expansion', '2026-10-01'],
    ['Regulatory', '2026-10-01'],
    ['Expansion', '2026-07-01'],
  ])
  expect(signals[0]).toMatchObject({
    headline: 'Larchwood Wealth: additional offices from 1 to 2; employees from 20 to 31 (Form ADV)',
    about: 'from its own Form ADV, CRD 123456',
    url: 'https://adviserinfo.sec.gov/firm/summary/123456',
    source: 'form-adv',
    confidence: 0.95,
  })
})

test('treats added and removed officers as leadership changes, but not owners', () => {
  const officer = (full_legal_name: string, title: string | null) => ({ full_legal_name, title })
  const before = [
    officer('BELL, ANA, M', 'CHIEF COMPLIANCE OFFICER'),
    officer('ROE, SAM', 'PRESIDENT'),
    officer('POE, KIM', 'SHAREHOLDER'),
  ]
  const after = [
    officer('BELL, ANA', 'CHIEF COMPLIANCE OFFICER'),
    officer('DAY, LEE', 'PRESIDENT'),
    officer('FOX, TIM', 'SHAREHOLDER'),
  ]
  const signals = signalsOfFirmChanges([change('schedule_a_officers', before, after)], options)
  expect(signals.map(({ type, headline }) => [type, headline])).toEqual([
    ['Leadership Change', 'Larchwood Wealth: DAY, LEE is listed as PRESIDENT (Form ADV Schedule A)'],
    ['Leadership Change', 'Larchwood Wealth: ROE, SAM is no longer listed as PRESIDENT (Form ADV Schedule A)'],
  ])
  expect(signalsOfFirmChanges([change('schedule_a_officers', [], after)], options)).toEqual([])
  expect(signalsOfFirmChanges([change('schedule_a_officers', null, 'x')], options)).toEqual([])
})
