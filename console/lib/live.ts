import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Task } from '../../src/contract/tasks.ts'
import type { WarehouseRun } from '../../src/contract/warehouse.ts'
import { identity } from './session.ts'

/** Current and just-ended runs; undefined until the first event. */
export const liveRuns = signal<readonly WarehouseRun[] | undefined>(undefined)
/** The newest unfinished and just-ended tasks; undefined until the first event. */
export const liveTasks = signal<readonly Task[] | undefined>(undefined)

/**
 * Receives live updates while a user is signed in and the tab is visible. A tab has one stream for all pages, because
 * browsers open at most six connections to a host.
 */
export function receiveEvents(): void {
  const isVisible = signal(!document.hidden)
  document.addEventListener('visibilitychange', () => {
    isVisible.value = !document.hidden
  })
  effect(() => {
    if (!identity.value || !isVisible.value) return
    const source = new EventSource('/v2/events')
    source.addEventListener('runs', ({ data }) => {
      liveRuns.value = JSON.parse(data) as WarehouseRun[]
    })
    source.addEventListener('tasks', ({ data }) => {
      liveTasks.value = JSON.parse(data) as Task[]
    })
    return () => {
      source.close()
      // Without a stream, pages show their own data instead of the last events.
      liveRuns.value = undefined
      liveTasks.value = undefined
    }
  })
}

/**
 * Calls `reload` when the set of live runs or tasks, or one of their states, changes. A first event counts as a change
 * if it is not empty, because its runs may have started after the page read its data.
 */
export function useReloadOnChange(live: readonly (WarehouseRun | Task)[] | undefined, reload: () => void): void {
  const states = live?.map((one) => `${one.id} ${'state' in one ? one.state : one.status}`).join()
  const seen = useRef(states ?? '')
  useEffect(() => {
    if (states === undefined || states === seen.current) return
    seen.current = states
    reload()
  }, [states])
}
