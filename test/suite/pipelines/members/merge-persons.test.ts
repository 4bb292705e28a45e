import { expect, it } from 'vitest'
import { mergePersons } from '../../../../pipelines/members/merge-persons.ts'

it('refuses masked addresses, which a key without the scope contacts receives', () => {
  const masked = { email_hash: 'ab'.repeat(8), email: '***@acme.example', full_name: 'Jane Roe' }
  expect(() => mergePersons([], [masked])).toThrow('lacks the scope `contacts`')
})
