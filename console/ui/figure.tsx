import type { ComponentChildren } from 'preact'

/** A name and a value in a list of figures: `<dl class="card figures">`. */
export const Figure = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="figure">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
