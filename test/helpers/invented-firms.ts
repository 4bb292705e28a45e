import type { HostFirm } from './firm-host.ts'

/** Deterministic firms. Keys look like SEC numbers, whose text order differs from their numeric order. */
export function generateFirms(count: number, from = 0): HostFirm[] {
  return Array.from({ length: count }, (_, index) => inventFirm(from + index))
}

export function inventFirm(index: number): HostFirm {
  const crd = 100_000 + index
  return {
    sec_number: `80${index % 3 === 0 ? 2 : 1}-${1000 + index * 37}`,
    crd_number: crd,
    legal_name: `EXAMPLE ADVISER ${index}, "LLC" \\ Zürich`,
    business_name: index % 5 === 0 ? null : `Example ${index}`,
    firm_type: 'registered',
    region: ['NYRO', 'BRO', 'CHRO', 'SFRO'][index % 4],
    sec_status: 'Approved',
    sec_status_date: '2020-02-03',
    latest_filing_date: '2022-03-31',
    notice_states: index % 2 === 0 ? ['CA', 'NY'] : [],
    city: 'Springfield',
    state: [null, 'IL', 'MA', 'OH'][index % 4],
    country: 'United States',
    website: `https://firm${index}.example`,
    website_domain: `firm${index}.example`,
    employee_count: index % 400,
    aum_total_usd: index * 1_000_000.25,
    private_funds: index % 7 === 0,
    as_of: '2022-07-01',
  }
}
