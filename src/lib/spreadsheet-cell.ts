/** First characters of cells that spreadsheets evaluate as formulas (CWE-1236; OWASP ASVS 5.0, 1.2.10). */
const FORMULA = /^[=+\-@\t\r\0＝＋－＠]/

/** Prefixes a formula with an apostrophe, so that a spreadsheet shows it as text. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)
