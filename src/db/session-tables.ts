import type { ColumnType, Generated } from 'kysely'

interface SessionTable {
  session_id: Generated<string>
  token_hash: Buffer
  key_id: string
  address: string | null
  user_agent: string | null
  /** A timestamp in ISO 8601 with six decimal places, like all timestamps below. */
  created_at: ColumnType<string, string | undefined, string>
  last_seen_at: ColumnType<string, string | undefined, string>
  expires_at: string
}

interface SignInLinkTable {
  token_hash: Buffer
  key_id: string
  expires_at: string
}

export interface SessionTables {
  session: SessionTable
  sign_in_link: SignInLinkTable
}
