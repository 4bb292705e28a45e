import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RequestError } from '../lib/http.ts'
import { asRequestError } from '../lib/http.ts'
import { Failure } from './feedback.tsx'

/** A modal dialog, open as long as it is rendered. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
}) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    // Removing the element closes the dialog. A call to close() would also fire onClose when one dialog replaces
    // another.
    element.current?.showModal()
  }, [])
  return (
    // A dialog that is replaced after Escape was pressed fires no close event.
    <dialog ref={element} aria-label={title} onCancel={onClose} onClose={onClose}>
      <div class="dialog-body">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** Describes the effect of the action, including the number of affected records. */
  children: ComponentChildren
  /** Label of the confirming button, such as "Remove 3 accounts". */
  confirm: string
  isDangerous?: boolean
  /** Whether the form in the dialog is complete. @default true */
  isReady?: boolean
  /** Performs the action. If it throws, the dialog stays open and shows the error. */
  run: () => Promise<unknown>
  onClose: () => void
  /** Called after `run`. @default onClose */
  onDone?: () => void
}

/** Asks for confirmation of a change. The button's label names the change. */
export function Confirm({
  title,
  children,
  confirm,
  isDangerous,
  isReady = true,
  run,
  onClose,
  onDone = onClose,
}: ConfirmProps) {
  const [error, setError] = useState<RequestError>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await run()
      onDone()
    } catch (problem) {
      setError(asRequestError(problem))
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack-small">{children}</div>
      {error && <Failure error={error} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={isDangerous ? 'button danger' : 'button primary'}
          disabled={isBusy || !isReady}
          onClick={() => void submit()}
        >
          {confirm}
        </button>
      </div>
    </Dialog>
  )
}

interface ConfirmButtonProps extends Omit<ConfirmProps, 'onClose' | 'onDone'> {
  /** Text of the button that opens the dialog. */
  label: string
  /** Describes the button to screen readers. @default label */
  description?: string
  /** Classes of the button, such as `primary`. */
  look?: string
  isDisabled?: boolean
}

/** A button that asks for confirmation before it makes a change. */
export function ConfirmButton({ label, description, look = '', isDisabled = false, ...confirm }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class={`button ${look}`}
        aria-label={description}
        disabled={isDisabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && <Confirm {...confirm} onClose={() => setOpen(false)} />}
    </>
  )
}
