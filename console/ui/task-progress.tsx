import { useEffect, useState } from 'preact/hooks'
import type { Task } from '../../src/contract/tasks.ts'
import { formatNumber } from '../lib/format.ts'
import { get } from '../lib/http.ts'
import { Notice } from './feedback.tsx'

const POLL_MS = 1_500

/** Shows a task's progress until it ends. */
export function TaskProgress({ id, onEnded, onClose }: { id: string; onEnded: () => void; onClose: () => void }) {
  const [task, setTask] = useState<Task>()
  useEffect(() => {
    setTask(undefined)
    let timer: ReturnType<typeof setTimeout>
    let isGone = false
    const poll = async () => {
      const now = await get<Task>(`/v2/tasks/${id}`).catch(() => undefined)
      if (isGone) return
      if (now) setTask(now)
      if (now?.completed_at) onEnded()
      else timer = setTimeout(() => void poll(), POLL_MS)
    }
    void poll()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [id])
  const percent = Math.round((task?.progress ?? 0) * 100)
  const hasEnded = Boolean(task?.completed_at)
  return (
    <Notice
      tone={hasEnded ? (task?.status === 'failed' ? 'bad' : 'good') : 'live'}
      actions={
        <button type="button" class="button small" onClick={onClose}>
          {hasEnded ? 'Close' : 'Hide'}
        </button>
      }
    >
      <div class="stack-small" aria-live="polite">
        <span>
          {hasEnded
            ? `Enrichment ${task?.status}: ${formatNumber(task?.units_charged ?? 0)} units charged, ${formatNumber(task?.units_refunded ?? 0)} refunded.`
            : `Enriching, ${percent}% done.`}
        </span>
        {!hasEnded && (
          <div class="progress" role="progressbar" aria-label="Enrichment" aria-valuenow={percent} aria-valuemax={100}>
            <div style={{ width: `${percent}%` }} />
          </div>
        )}
      </div>
    </Notice>
  )
}
