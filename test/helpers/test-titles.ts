/**
 * Returns the title of a running test as written in its file, including its groups (`the ledger > balances after every
 * operation`). Titles filled in by `it.each` are returned as their pattern (`responds to %s with %i`). Returns
 * undefined if the file has no such title.
 */
export function writtenTitle(source: string, title: string): string | undefined {
  const literals = [...source.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])+)\1/g)].map(([, , text = '']) => text)
  const parts = title.split(' > ').map((part) => {
    const plain = literals.find((literal) => literal === part || literal.replaceAll('\\', '') === part)
    return plain ?? literals.find((literal) => isPattern(literal) && toPattern(literal).test(part))
  })
  return parts.includes(undefined) ? undefined : parts.join(' > ')
}

const isPattern = (literal: string): boolean => /%[sidfjo]|\$\{/.test(literal) && /[a-z]{3}/i.test(literal)

const toPattern = (literal: string): RegExp =>
  new RegExp(
    `^${literal
      .split(/%[sidfjo]|\$\{[^}]*\}/)
      .map(RegExp.escape)
      .join('.*')}$`,
    's',
  )
