/** The result of one check of `talhouse doctor`. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'problem'
  /** Description of the result. */
  found: string
  /** Instructions for fixing the problem; empty if the status is `ok`. */
  fix: string
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, fix: '' })

export const warning = (check: string, found: string, fix: string): Finding => ({
  check,
  status: 'warning',
  found,
  fix,
})

export const problem = (check: string, found: string, fix: string): Finding => ({
  check,
  status: 'problem',
  found,
  fix,
})
