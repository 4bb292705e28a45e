/** Kinds of changes, each with its name in the filter. */
export const KINDS = [
  ['joined', 'Joined'],
  ['left', 'Left'],
  ['title_changed', 'New title'],
  ['first_seen', 'First seen'],
] as const

/** Periods that end now, each with an SQL expression for its start. */
export const PERIODS = [
  ['month', 'This month', "date_trunc('month', now(), 'UTC')"],
  ['30-days', 'Last 30 days', "now() - interval '30 days'"],
  ['quarter', 'This quarter', "date_trunc('quarter', now(), 'UTC')"],
  ['year', 'This year', "date_trunc('year', now(), 'UTC')"],
] as const

/**
 * The query for changes at listed accounts, newest first. Unknown values select the first kind and period, so no text
 * from the address becomes SQL.
 */
export function changesQuery({ kind, period }: { kind: string; period: string }): string {
  const [selected] = KINDS.find(([name]) => name === kind) ?? KINDS[0]
  const [, , start] = PERIODS.find(([name]) => name === period) ?? PERIODS[0]
  return `select change.domain, change.company_name, change.full_name, change.title, change.old_title, change.evidence, change.changed_at
from warehouse.leadership_change change
join warehouse.tal_member account on account.domain = change.domain and account.gone_at is null
where change.kind = '${selected}' and change.changed_at >= ${start}
order by change.changed_at desc, change.domain, change.full_name`
}
