import { useEffect, useRef, useState } from 'preact/hooks'
import type { WarehouseRun } from '../../src/contract/warehouse.ts'

/** Current and just-ended runs, from server-sent events; undefined until the first event. */
export function useLiveRuns(isActive: boolean): readonly WarehouseRun[] | undefined {
  const [runs, setRuns] = useState<readonly WarehouseRun[]>()
  useEffect(() => {
    if (!isActive) return
    const source = new EventSource('/v2/warehouse/events')
    source.addEventListener('runs', (event) => setRuns(JSON.parse(event.data) as WarehouseRun[]))
    return () => {
      source.close()
      // When the stream ends, the page shows its own data instead of the last event.
      setRuns(undefined)
    }
  }, [isActive])
  return runs
}

/**
 * Calls `reload` when the set of live runs or one of their states changes. The first event counts as a change if it has
 * runs, because they may have started after the page read its data.
 */
export function useReloadOnChange(live: readonly WarehouseRun[] | undefined, reload: () => void): void {
  const states = live?.map(({ id, state }) => `${id} ${state}`).join()
  const seen = useRef('')
  useEffect(() => {
    if (states === undefined || states === seen.current) return
    seen.current = states
    reload()
  }, [states])
}
