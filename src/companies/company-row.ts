import type { Selectable } from 'kysely'
import type { CompanyTable } from '../db/record-tables.ts'

export type CompanyRow = Selectable<CompanyTable>
