import { useState } from 'preact/hooks'

/** Number of extra rows rendered above and below the visible ones. */
const OVERSCAN = 20
const FIRST_HEIGHT = 1_200

/**
 * The rows of a long table to render at the current scroll position, and the height of the rows before and after them.
 * All rows have the same height.
 */
export function useVirtualRows(count: number, rowHeight: number) {
  const [view, setView] = useState({ top: 0, height: FIRST_HEIGHT })
  const first = Math.max(0, Math.min(count, Math.floor(view.top / rowHeight)) - OVERSCAN)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + OVERSCAN)
  const onScroll = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const { scrollTop: top, clientHeight: height } = currentTarget
    // Re-renders only after half of the extra rows have been scrolled past, not on every scroll event.
    if (Math.abs(top - view.top) > (OVERSCAN / 2) * rowHeight || height !== view.height) setView({ top, height })
  }
  return { first, last, before: first * rowHeight, after: (count - last) * rowHeight, onScroll }
}
