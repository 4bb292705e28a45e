import { join } from 'node:path'

/** Real files next to the project folder. Tests are skipped if their files are missing. */
const SHARED = process.env['TALHOUSE_TEST_SHARED_DIR'] ?? join(import.meta.dirname, '../../../shared')

/** The SEC's rosters and layouts. */
export const SHARED_ROSTERS = join(SHARED, 'data/form-adv')

/** Issuer and filing names from EDGAR. */
export const SHARED_EDGAR = join(SHARED, 'data/edgar')
