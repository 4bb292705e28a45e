/** Vite bundles the imported styles. */
declare module '*.css'

/** Vite bundles the text of the file. */
declare module '*.md?raw' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the form of Vite's text modules
  export default text
}
