import { useEffect } from 'preact/hooks'
import type { Task } from '../../src/contract/tasks.ts'
import { formatNumber, plural } from '../lib/format.ts'
import { liveTasks, useReloadOnChange } from '../lib/live.ts'
import { useResource } from '../lib/use-resource.ts'
import { Notice } from './feedback.tsx'

/** Shows a task's progress until it ends. */
export function TaskProgress({ id, onEnded, onClose }: { id: string; onEnded: () => void; onClose: () => void }) {
  const { data, reload } = useResource<Task>(`/v2/tasks/${id}`)
  useReloadOnChange(liveTasks.value, reload)
  const task = data?.completed_at ? data : (liveTasks.value?.find((one) => one.id === id) ?? data)
  const percent = Math.round((task?.progress ?? 0) * 100)
  const hasEnded = Boolean(task?.completed_at)
  useEffect(() => {
    if (hasEnded) onEnded()
  }, [hasEnded])
  return (
    <Notice
      tone={hasEnded ? (task?.status === 'failed' ? 'bad' : 'good') : 'live'}
      actions={
        <span class="row">
          {hasEnded && (
            <a class="button small" href={`/console/tasks/${id}`}>
              Show the outcomes
            </a>
          )}
          <button type="button" class="button small" onClick={onClose}>
            {hasEnded ? 'Close' : 'Hide'}
          </button>
        </span>
      }
    >
      <div class="stack-small" aria-live="polite">
        <span>
          {hasEnded
            ? `Enrichment ${task?.status}: ${plural(task?.units_charged ?? 0, 'unit')} charged, ${formatNumber(task?.units_refunded ?? 0)} refunded.`
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
