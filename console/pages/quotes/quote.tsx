import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import type { QuoteDetails } from '../../../src/contract/enrichment.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { purchaseQuote } from '../../lib/quotes.ts'
import { may } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Confirm } from '../../ui/dialog.tsx'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge, Notice } from '../../ui/feedback.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { RequestCard } from '../../ui/request-card.tsx'
import { num, TableCard } from '../../ui/table-frame.tsx'
import { Copy, Outside, Time } from '../../ui/text.tsx'

const STATES: Record<QuoteDetails['status'], [Tone, string]> = {
  open: ['live', 'Open'],
  purchased: ['good', 'Purchased'],
  expired: ['idle', 'Expired'],
}
/** Maximum number of items shown. */
const ITEMS = 200

/** Shows a quote, for example one created by an assistant. Keys with the `enrich` scope can purchase it. */
export function Quote() {
  const id = useRoute().params['id'] ?? ''
  const { route } = useLocation()
  const quote = useResource<QuoteDetails>(`/v2/quotes/${encodeURIComponent(id)}?limit=${ITEMS}`)
  const [isConfirming, setConfirming] = useState(false)
  const { data } = quote
  // The price drops if companies have been enriched since the quote, but rises again, up to the quoted units, if their
  // data becomes stale before the purchase.
  const isLess = (data?.units_now ?? 0) < (data?.units_required ?? 0)
  const price = `${isLess ? 'at most ' : ''}${plural(data?.units_required ?? 0, 'unit')}`
  const purchase = async () => {
    const { task_id } = await purchaseQuote(id)
    route(`/console/tasks/${task_id}`)
  }
  return (
    <Page
      name="Quote"
      crumbs={<a href="/console/tasks">Tasks</a>}
      title={
        <span class="row wrap">
          Quote {data && <Badge tone={STATES[data.status][0]}>{STATES[data.status][1]}</Badge>}
        </span>
      }
      lead={
        <>
          <code>{id}</code> <Copy text={id} label="Copy the quote ID" />
        </>
      }
      actions={
        data &&
        may('enrich') &&
        isPurchasable(data) && (
          <button type="button" class="button primary" onClick={() => setConfirming(true)}>
            Purchase for {price}
          </button>
        )
      }
    >
      <Loaded resource={quote}>{(details) => <Details quote={details} />}</Loaded>
      {isConfirming && (
        <Confirm
          title="Purchase the quote"
          confirm={`Spend ${price}`}
          run={purchase}
          onClose={() => setConfirming(false)}
        >
          <dl class="facts">
            <dt>Cost</dt>
            <dd class="strong">{price}</dd>
            <dt>Balance before</dt>
            <dd>{plural(data?.units_remaining ?? 0, 'unit')}</dd>
          </dl>
          <p class="muted">Units for companies that are not found are refunded.</p>
        </Confirm>
      )}
    </Page>
  )
}

const isPurchasable = ({ units_now, units_required, is_covered }: QuoteDetails): boolean =>
  units_now !== null && units_now <= units_required && is_covered

function Details({ quote }: { quote: QuoteDetails }) {
  const { request, items, items_total, task_id } = quote
  return (
    <>
      {!isPurchasable(quote) && (
        <Notice tone={quote.status === 'open' ? 'warn' : 'good'}>
          <Outside>{quote.message}</Outside> {task_id && <a href={`/console/tasks/${task_id}`}>Open the task</a>}
        </Notice>
      )}
      <dl class="card figures">
        <Figure name="Quoted units">{formatNumber(quote.units_required)}</Figure>
        <Figure name="Balance">{formatNumber(quote.units_remaining)}</Figure>
        <Figure name="Created">
          <Time iso={quote.created_at} />
        </Figure>
        <Figure name="Expires">
          <Time iso={quote.expires_at} />
        </Figure>
      </dl>
      {items.length > 0 && (
        <TableCard
          title={items_total > items.length ? `First ${items.length} of ${formatNumber(items_total)} items` : 'Items'}
          label="Items"
          columns={['Company', 'Person', num('Units')]}
        >
          {items.map(({ domain, person, units }) => (
            <tr key={JSON.stringify([domain, person])}>
              <td>
                <Outside max={120}>{domain}</Outside>
              </td>
              <td>
                <Outside max={120}>{person && (person.full_name ?? person.email ?? person.social_url ?? null)}</Outside>
              </td>
              <td class="num">{formatNumber(units)}</td>
            </tr>
          ))}
        </TableCard>
      )}
      <RequestCard body={request} />
    </>
  )
}
