import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Quote } from '../../src/contract/enrichment.ts'
import { formatNumber, plural } from '../lib/format.ts'
import type { RequestError } from '../lib/http.ts'
import { asRequestError } from '../lib/http.ts'
import { Confirm, Dialog } from './dialog.tsx'
import { Failure, Notice, Skeleton } from './feedback.tsx'

export type QuotedCost = Pick<Quote, 'units_required' | 'units_remaining' | 'is_covered'>

interface QuotedProps {
  title: string
  /** Requests the cost from the service. */
  quote: () => Promise<QuotedCost>
  /** Spends the quoted units. The key prevents a repeated request from being charged twice. */
  submit: (idempotencyKey: string) => Promise<unknown>
  onClose: () => void
  children?: ComponentChildren
  /** The input of the quote. When it changes, a new quote is requested. */
  about?: string
}

/**
 * Asks for confirmation before units are spent: shows the service's quote, and the button's label includes the number
 * of units.
 */
export function Quoted({ title, quote, submit, onClose, children, about = '' }: QuotedProps) {
  const [cost, setCost] = useState<QuotedCost>()
  const [error, setError] = useState<RequestError>()
  const [key] = useState(() => crypto.randomUUID())
  useEffect(() => {
    setCost(undefined)
    setError(undefined)
    quote().then(setCost, (problem: unknown) => setError(asRequestError(problem)))
  }, [about])
  if (cost === undefined || !cost.is_covered || cost.units_required === 0)
    return (
      <Dialog title={title} onClose={onClose}>
        {children}
        {error ? <Failure error={error} /> : cost === undefined ? <Skeleton lines={2} /> : <Unable cost={cost} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    )
  return (
    <Confirm
      title={title}
      confirm={`Spend ${plural(cost.units_required, 'unit')}`}
      run={() => submit(`${key}-${about}`)}
      onClose={onClose}
    >
      {children}
      <dl class="facts">
        <dt>Cost</dt>
        <dd class="strong">{plural(cost.units_required, 'unit')}</dd>
        <dt>Balance after</dt>
        <dd>{plural(cost.units_remaining - cost.units_required, 'unit')}</dd>
      </dl>
      <p class="muted outside">Units of companies that are not found are refunded.</p>
    </Confirm>
  )
}

const Unable = ({ cost }: { cost: QuotedCost }) => (
  <Notice tone={cost.units_required === 0 ? 'good' : 'warn'}>
    {cost.units_required === 0
      ? 'Everything is fresh, so there is nothing to pay and nothing to do.'
      : `This costs ${formatNumber(cost.units_required)} units, but ${formatNumber(cost.units_remaining)} are left. Select fewer companies, or ask the operator for more units.`}
  </Notice>
)
