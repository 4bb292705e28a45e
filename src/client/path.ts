/** Encodes and joins path segments: `pathOf('v2', 'companies', domain)`. */
export const pathOf = (...segments: string[]): string => `/${segments.map(encodeURIComponent).join('/')}`
