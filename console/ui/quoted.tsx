import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { QuoteRequest } from '../../src/contract/enrichment.ts'
import { plural } from '../lib/format.ts'
import type { RequestError } from '../lib/http.ts'
import { asRequestError } from '../lib/http.ts'
import type { Offer } from '../lib/quotes.ts'
import { purchaseQuote, requestOffer } from '../lib/quotes.ts'
import { Confirm, Dialog } from './dialog.tsx'
import { Failure, Notice, Skeleton } from './feedback.tsx'

/**
 * Status codes for a deleted or expired quote, and for a quote whose price has risen. In these cases, only a new quote
 * can be purchased.
 */
const NEEDS_NEW_QUOTE: ReadonlySet<number> = new Set([404, 409])

interface QuotedProps {
  title: string
  /** The enrichments to quote and purchase, one task each. When they change, new quotes are requested. */
  requests: readonly QuoteRequest[]
  /** Called for each task as soon as it is charged; a retry can repeat a task. */
  onSubmitted: (taskId: string) => void
  onClose: () => void
  children?: ComponentChildren
}

/**
 * Asks for confirmation before spending units: shows the service's quote, and the button states the number of units.
 * Purchases exactly the quotes shown, so a higher price is charged only after a new confirmation.
 */
export function Quoted({ title, requests, onSubmitted, onClose, children }: QuotedProps) {
  const about = JSON.stringify(requests)
  /** The offer for the requests in `about`, or the error if the quotes failed. */
  const [state, setState] = useState<{ about: string; offer?: Offer; error?: RequestError }>()
  const [attempt, setAttempt] = useState(0)
  /** Requests already submitted by a partially rejected purchase; they are not quoted again. */
  const purchased = useRef(new Set<string>())
  useEffect(() => {
    const cancellation = new AbortController()
    const pending = requests.filter((request) => !purchased.current.has(JSON.stringify(request)))
    requestOffer(pending, cancellation.signal).then(
      (offer) => setState({ about, offer }),
      (problem: unknown) => {
        if (!cancellation.signal.aborted) setState({ about, error: asRequestError(problem) })
      },
    )
    return () => cancellation.abort()
  }, [about, attempt])
  const { offer, error } = state?.about === about ? state : {}

  const requestAgain = () => {
    setState(undefined)
    setAttempt(attempt + 1)
  }
  const purchase = async ({ items }: Offer) => {
    try {
      for (const { request, quote } of items) {
        const { task_id } = await purchaseQuote(quote.quote_id)
        purchased.current.add(JSON.stringify(request))
        onSubmitted(task_id)
      }
    } catch (problem) {
      const refusal = asRequestError(problem)
      if (NEEDS_NEW_QUOTE.has(refusal.status)) setState({ about, error: refusal })
      throw problem
    }
  }

  if (offer === undefined || !offer.is_covered || offer.units_required === 0)
    return (
      <Dialog title={title} onClose={onClose}>
        {children}
        {error ? <Failure error={error} /> : offer === undefined ? <Skeleton lines={2} /> : <Unable offer={offer} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          {error && (
            <button type="button" class="button primary" onClick={requestAgain}>
              Request a new quote
            </button>
          )}
        </div>
      </Dialog>
    )
  return (
    <Confirm
      title={title}
      confirm={`Spend ${plural(offer.units_required, 'unit')}`}
      run={() => purchase(offer)}
      onClose={onClose}
    >
      {children}
      <dl class="facts">
        <dt>Cost</dt>
        <dd class="strong">{plural(offer.units_required, 'unit')}</dd>
        <dt>Balance after</dt>
        <dd>{plural(offer.units_remaining - offer.units_required, 'unit')}</dd>
      </dl>
      <p class="muted outside">Units for companies that are not found are refunded.</p>
    </Confirm>
  )
}

const Unable = ({ offer }: { offer: Offer }) => (
  <Notice tone={offer.units_required === 0 ? 'good' : 'warn'}>
    {offer.units_required === 0
      ? 'Everything is fresh, so no enrichment is needed.'
      : `This costs ${plural(offer.units_required, 'unit')}, but only ${plural(offer.units_remaining, 'unit is', 'units are')} left. Select fewer companies, or ask the operator for more units.`}
  </Notice>
)
