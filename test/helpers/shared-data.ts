import { join } from 'node:path'

/** Real files beside the project; tests that need them are skipped if they are missing. */
const SHARED = process.env['TALHOUSE_TEST_SHARED_DIR'] ?? join(import.meta.dirname, '../../../shared')

/** Rosters and layouts of the SEC. */
export const SHARED_ROSTERS = join(SHARED, 'data/form-adv')

/** Names of issuers and filings at EDGAR. */
export const SHARED_EDGAR = join(SHARED, 'data/edgar')
