import { Presets, SingleBar } from 'cli-progress'

/** How far long work has come. */
export interface Progress {
  /** `total` may become known, or change, while the work goes on. */
  update(done: number, total?: number): void
  stop(): void
}

const LINE_EVERY_MS = 5_000

/** A bar on a terminal, a plain line every few seconds elsewhere, nothing when nobody reads it. */
export function createProgress(label: string, quiet: boolean, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (quiet) return { update: () => undefined, stop: () => undefined }
  return stream.isTTY ? bar(label, stream) : lines(label, stream)
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
  let last = Date.now()
  return {
    update(done, total) {
      if (Date.now() - last < LINE_EVERY_MS) return
      last = Date.now()
      stream.write(`${label}: ${done}${total === undefined ? '' : ` of ${total}`}\n`)
    },
    stop: () => undefined,
  }
}
