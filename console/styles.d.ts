/** Vite bundles the imported styles. */
declare module '*.css'
