import { Presets, SingleBar } from 'cli-progress'
import { printable } from '../../lib/control-characters.ts'

/** Progress of a long operation. */
export interface Progress {
  /** Reports progress. A later call may add or change `total`. */
  update(done: number, total?: number): void
  stop(): void
}

const LINE_EVERY_MS = 5_000

/**
 * Shows a progress bar on a terminal, or a line every five seconds elsewhere. If `quiet` is true, nothing is printed.
 */
export function createProgress(label: string, quiet: boolean, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (quiet) return { update: () => undefined, stop: () => undefined }
  const text = printable(label)
  return stream.isTTY ? bar(text, stream) : lines(text, stream)
}

function bar(label: string, stream: NodeJS.WriteStream): Progress {
  const single = new SingleBar(
    { stream, hideCursor: true, format: `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted} left` },
    Presets.shades_classic,
  )
  single.start(0, 0)
  return {
    update(done, total) {
      if (total !== undefined) single.setTotal(total)
      single.update(done)
    },
    stop: () => single.stop(),
  }
}

function lines(label: string, stream: NodeJS.WriteStream): Progress {
  const start = Date.now()
  let last = start
  return {
    update(done, total) {
      if (Date.now() - last < LINE_EVERY_MS) return
      last = Date.now()
      stream.write(
        `${label}: ${done}${total === undefined ? '' : ` of ${total}${timeLeft(last - start, done, total)}`}\n`,
      )
    },
    stop: () => undefined,
  }
}

/** Estimates the remaining time from the average speed so far. */
function timeLeft(elapsedMs: number, done: number, total: number): string {
  if (done === 0 || done >= total) return ''
  const seconds = Math.ceil((elapsedMs / done) * ((total - done) / 1000))
  return seconds < 90 ? `, about ${seconds} s left` : `, about ${Math.ceil(seconds / 60)} min left`
}
