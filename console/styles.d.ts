/** Vite bundles imported styles. */
declare module '*.css'
