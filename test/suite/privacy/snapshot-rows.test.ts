import { expect, it } from 'vitest'
import { judgeSnapshotRow } from '../../../pipelines/snapshot/find-person.ts'
import { createMatcher } from '../../../src/personal-data/matcher.ts'
import { createSubject } from '../../../src/personal-data/subject.ts'

const ERASED = '0c7a4b1e-94a7-4d3a-8a0e-6b7f2f5d1c22'
const OTHER = '1c7a4b1e-94a7-4d3a-8a0e-6b7f2f5d1c22'

it.each([
  'person_career',
  'person_evidence',
  'doubtful_value',
])('deletes a row of %s about a person without an address by the id in its person_key, regardless of the name', (view) => {
  const matcher = createMatcher({ ...createSubject(), personIds: new Set([ERASED]) })
  const row = (id: string) => ({ domain: 'acme.example', person_key: `id:${id}`, full_name: 'Former Name', value: 'x' })
  expect(judgeSnapshotRow(view, row(ERASED), matcher)).toBe('delete')
  expect(judgeSnapshotRow(view, row(OTHER), matcher)).toBe('keep')
})
