import { AppError, systemCode } from '../../lib/errors.ts'

/** Aborts when a stream's reader has exited, as in `talhouse ... | head`. Other stream errors are thrown. */
export function abortOnClosedPipe(...streams: NodeJS.WritableStream[]): AbortSignal {
  const controller = new AbortController()
  for (const stream of streams)
    stream.on('error', (error) => {
      if (systemCode(error) !== 'EPIPE') throw error
      controller.abort(new AppError('interrupted', 'output closed'))
    })
  return controller.signal
}
