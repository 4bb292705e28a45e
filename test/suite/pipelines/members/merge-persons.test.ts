import { expect, it } from 'vitest'
import { mergePersons } from '../../../../pipelines/members/merge-persons.ts'

it.each([
  { email: '***@acme.example' },
  { phone: '***' },
])('refuses masked contact data, which a key without the scope contacts receives: %o', (contact) => {
  const masked = { email_hash: 'ab'.repeat(8), full_name: 'Jane Roe', ...contact }
  expect(() => mergePersons([], [masked])).toThrow('lacks the scope `contacts`')
})
