/** Ignores letter case, commas and a full stop at the end, because keys contain both `Doe, Jr.` and `Doe Jr.` */
export const fold = (text: string | number): string => String(text).toLowerCase().replace(/,|\.$/gu, '')
