import { useState } from 'preact/hooks'
import type { Budget } from '../../../src/contract/warehouse-budget.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { may } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Confirm, ConfirmButton } from '../../ui/dialog.tsx'
import { Badge, toast } from '../../ui/feedback.tsx'
import { Field, wholeNumber } from '../../ui/field.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { Time } from '../../ui/text.tsx'

const BUDGET = '/v2/warehouse/budget'

/** The maximum number of units that a nightly run may spend. */
export function NightBudget() {
  const budget = useResource<Budget>(BUDGET)
  const [isEditing, setEditing] = useState(false)
  const reset = async () => {
    await request('DELETE', BUDGET)
    toast('The budget is reset to the value in the settings.')
    budget.reload()
  }
  return (
    <Loaded resource={budget} lines={2}>
      {(data) => (
        <Card
          title="Nightly budget"
          aside={
            may('admin') && (
              <span class="row">
                {data.changed_at !== null && (
                  <ConfirmButton
                    label="Reset"
                    description="Reset the budget"
                    look="small"
                    title="Reset the budget"
                    confirm="Use the settings"
                    run={reset}
                  >
                    <p>
                      Replaces {plural(data.units_per_night, 'unit')} per night with the budget in the setting{' '}
                      <code>pipelines.enrich</code>.
                    </p>
                  </ConfirmButton>
                )}
                <button
                  type="button"
                  class="button small"
                  aria-label="Change the budget"
                  onClick={() => setEditing(true)}
                >
                  Change
                </button>
              </span>
            )
          }
        >
          <dl class="facts">
            <dt>Units per night</dt>
            <dd>
              {data.units_per_night === 0
                ? '0: nightly runs buy no enrichment'
                : `at most ${formatNumber(data.units_per_night)}`}
            </dd>
            <dt>Units kept</dt>
            <dd>{formatNumber(data.keep_units)} of the period's balance</dd>
            <dt>Source</dt>
            <dd>
              {data.changed_at === null ? (
                <Badge tone="idle">settings</Badge>
              ) : (
                <>
                  <Badge tone="live">console</Badge> changed <Time iso={data.changed_at} />
                </>
              )}
            </dd>
          </dl>
          {isEditing && (
            <Edit
              budget={data}
              onClose={() => setEditing(false)}
              onChanged={() => {
                setEditing(false)
                budget.reload()
              }}
            />
          )}
        </Card>
      )}
    </Loaded>
  )
}

function Edit({ budget, onClose, onChanged }: { budget: Budget; onClose: () => void; onChanged: () => void }) {
  const [night, setNight] = useState(String(budget.units_per_night))
  const [keep, setKeep] = useState(String(budget.keep_units))
  const [units_per_night, keep_units] = [wholeNumber(night), wholeNumber(keep)]
  const isReady = units_per_night !== undefined && units_per_night >= 0 && keep_units !== undefined && keep_units >= 0
  const save = async () => {
    await request('POST', BUDGET, { body: { units_per_night, keep_units } })
    toast('The budget applies from the next submission on.')
  }
  return (
    <Confirm
      title="Change the nightly budget"
      confirm={isReady ? `Spend at most ${plural(units_per_night, 'unit')} per night` : 'Change the budget'}
      isReady={isReady}
      run={save}
      onClose={onClose}
      onDone={onChanged}
    >
      <Field label="Maximum units per night" type="number" value={night} onInput={setNight} />
      <Field label="Units of the period's balance to keep" type="number" value={keep} onInput={setKeep} />
      <p class="muted">
        Now: at most {plural(budget.units_per_night, 'unit')} per night, {formatNumber(budget.keep_units)} kept. 0 per
        night stops enrichment.
      </p>
    </Confirm>
  )
}
