/** A name of a stored company. The SQL function `name_words` computes `words`. */
export interface StoredName {
  name: string
  words: readonly string[]
  isFormer: boolean
}

/** A stored company or registered firm. */
export interface Candidate {
  domain: string | null
  crd_number: number | null
  name: string | null
  legal_name: string | null
  names: readonly StoredName[]
  city: string | null
  state: string | null
  country: string | null
  lei: string | null
  cik: string | null
}

/** A requested company, with its name split into words and its domain normalized. */
export interface Query {
  name: string | undefined
  words: readonly string[]
  domain: string | undefined
  city: string | undefined
  state: string | undefined
  country: string | undefined
  lei: string | undefined
  cik: string | undefined
  crd_number: number | undefined
}
