/** Words that indicate each industry. Chooses the industry with the most distinct matching words in the text. */
const INDUSTRIES: readonly (readonly [string, RegExp])[] = [
  ['Private Equity', /\bprivate equity|buy-?outs?\b|portfolio companies|lower middle[- ]market|growth equity/gi],
  ['Venture Capital', /\bventure capital|seed[- ]stage|early[- ]stage (?:investor|companies|startups)/gi],
  [
    'Wealth Management',
    /\bwealth (?:management|advis[eo]r|planning)|financial planning|private wealth|retirement planning|family office/gi,
  ],
  [
    'Investment Management',
    /\b(?:investment|asset|fund|portfolio) (?:management|manager|adviser|advisor)s?\b|hedge funds?|institutional investors|manages portfolios/gi,
  ],
  ['Insurance', /\binsur(?:ance|er|es)\b|underwrit|reinsurance/gi],
  ['Banking', /\b(?:community |commercial |private )?bank(?:ing)?\b|credit union/gi],
  ['Accounting', /\baccount(?:ing|ants?)\b firm|certified public accountants|bookkeeping|tax preparation/gi],
  ['Legal Services', /\blaw firm|attorneys?\b|legal (?:services|counsel|advice)|solicitors/gi],
  ['Software', /\bsoftware\b|\bsaas\b|cloud platform|mobile apps?\b/gi],
  ['Information Technology', /\bit (?:services|consulting|support)|managed services|cyber ?security/gi],
  ['Logistics', /\blogistics\b|freight|supply chain|shipping|warehous|haulage|cargo/gi],
  ['Construction', /\bconstruction\b|general contractor|builders?\b/gi],
  ['Real Estate', /\breal estate|property management|realtors?\b|commercial property/gi],
  ['Biotechnology', /\bbiotech|therapeutics|drug discovery|clinical[- ]stage/gi],
  ['Health Care', /\bhealth ?care|clinic\b|hospital|patients|dental/gi],
  ['Manufacturing', /\bmanufactur(?:ing|er|es)|factory|machining|precision parts/gi],
  ['Energy', /\brenewable|solar|wind (?:power|energy)|oil and gas|utilities/gi],
  ['Marketing', /\bmarketing agency|advertising agency|branding|public relations/gi],
  ['Education', /\buniversity|school\b|e-?learning|training courses|education/gi],
  ['Hospitality', /\bhotels?\b|restaurants?\b|hospitality|catering/gi],
  ['Retail', /\bonline shop|retailer|e-?commerce store|free shipping/gi],
  ['Management Consulting', /\b(?:management|strategy|business) consult/gi],
  ['Architecture', /\barchitects?\b|architecture (?:firm|studio)|interior design/gi],
  ['Agriculture', /\bfarm(?:ing|s)?\b|agricultur|vineyard|crops?\b/gi],
]

/**
 * Returns the industry that the company's own text indicates; undefined if no word matches or if several industries
 * tie.
 */
export function industryInText(text: string): string | undefined {
  const counts = INDUSTRIES.map(([industry, words]) => ({
    industry,
    hits: new Set(text.match(words)?.map((hit) => hit.toLowerCase())).size,
  }))
  const [first, second] = counts.filter(({ hits }) => hits > 0).toSorted((a, b) => b.hits - a.hits)
  return first && first.hits > (second?.hits ?? 0) ? first.industry : undefined
}
