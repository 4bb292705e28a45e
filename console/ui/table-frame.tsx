import type { ComponentChildren } from 'preact'

/** A table with its own horizontal scrollbar when it is wider than the page. */
export const TableFrame = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it (axe: scrollable-region-focusable)
  <section class="table-frame" tabIndex={0} aria-label={label}>
    <table class="table">{children}</table>
  </section>
)
