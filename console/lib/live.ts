import type { Signal } from '@preact/signals'
import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Task } from '../../src/contract/tasks.ts'
import type { WarehouseRun } from '../../src/contract/warehouse.ts'
import { identity } from './session.ts'

/** Live data is discarded after this long without events; the service repeats unchanged events every 15 seconds. */
const SILENCE_MS = 40_000
/** Interval between reloads while no events arrive. */
const RELOAD_MS = 5_000

/** Running and recently finished runs; undefined until the first event. */
export const liveRuns = signal<readonly WarehouseRun[] | undefined>(undefined)
/** The newest unfinished and recently finished tasks; undefined until the first event. */
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
    // Without events, pages show the data they loaded themselves instead of the last events.
    const forget = () => {
      liveRuns.value = undefined
      liveTasks.value = undefined
    }
    let silence: ReturnType<typeof setTimeout> | undefined
    const receive = <Value>(name: string, live: Signal<Value | undefined>) =>
      source.addEventListener(name, ({ data }) => {
        live.value = JSON.parse(data) as Value
        clearTimeout(silence)
        silence = setTimeout(forget, SILENCE_MS)
      })
    receive('runs', liveRuns)
    receive('tasks', liveTasks)
    return () => {
      source.close()
      clearTimeout(silence)
      forget()
    }
  })
}

/**
 * Calls `reload` when a live run or task appears, disappears or changes state. The first event counts as a change if it
 * is not empty, because its runs may have started after the page read its data. If no events arrive, for example
 * because a proxy buffers them, calls `reload` every five seconds.
 */
export function useReloadOnChange(live: readonly (WarehouseRun | Task)[] | undefined, reload: () => void): void {
  const states = live?.map((one) => `${one.id} ${'state' in one ? one.state : one.status}`).join()
  const seen = useRef(states ?? '')
  const latest = useRef(reload)
  latest.current = reload
  useEffect(() => {
    if (states === undefined) {
      const timer = setInterval(() => document.hidden || latest.current(), RELOAD_MS)
      return () => clearInterval(timer)
    }
    if (states === seen.current) return
    seen.current = states
    reload()
    return
  }, [states])
}
