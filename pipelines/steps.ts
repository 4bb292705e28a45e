import type { Pipeline } from './runner/pipeline.ts'

/** A pipeline as listed to users. */
export interface ListedPipeline extends Pipeline {
  description: string
}

/** A pipeline whose code is imported when it runs, because a command usually runs only one of them. */
export const onDemand = (name: string, description: string, load: () => Promise<Pipeline>): ListedPipeline => ({
  name,
  description,
  run: async (context) => (await load()).run(context),
})

/** The steps of a nightly run, in order. */
export const NIGHTLY_STEPS: readonly ListedPipeline[] = [
  onDemand(
    'erasures',
    'Erase people from the warehouse and its snapshots after the service has erased them',
    async () => (await import('./erasures/pipeline.ts')).erasures,
  ),
  onDemand(
    'tal-members',
    'Pull the target account list and its changed companies and people',
    async () => (await import('./members/pipeline.ts')).talMembers,
  ),
  onDemand('firms', 'Pull all firms into the warehouse', async () => (await import('./firms/pipeline.ts')).firms),
  onDemand(
    'enrich-due',
    'Enrich due companies within the nightly budget and the period balance',
    async () => (await import('./enrich/pipeline.ts')).enrichDue,
  ),
  onDemand(
    'refresh-members',
    'Pull the members that enrichment has changed since the last pull',
    async () => (await import('./members/refresh.ts')).refreshMembers,
  ),
  // Runs after enrichment, so that the counts include the enriched members.
  onDemand(
    'staleness',
    'Count fresh and stale members, and store the counts for the night',
    async () => (await import('./staleness/pipeline.ts')).staleness,
  ),
  onDemand(
    'history',
    'Pull history events of changed members and their people',
    async () => (await import('./history/pipeline.ts')).history,
  ),
  onDemand(
    'repair',
    'Compare a slice of the records with the service, and repair the differences',
    async () => (await import('./repair/pipeline.ts')).repairSlice,
  ),
  // Runs after enrichment, so that the pulled ledger includes the night's charges and refunds.
  onDemand(
    'spending',
    'Pull the unit ledger: charges, refunds and grants',
    async () => (await import('./spending/pipeline.ts')).spending,
  ),
  // Runs after all pulls, so that the checks cover the night's data.
  onDemand(
    'expectations',
    'Check the expectations in the settings',
    async () => (await import('./checks/pipeline.ts')).expectations,
  ),
  onDemand(
    'export',
    'Export the warehouse as a snapshot',
    async () => (await import('./snapshot/pipeline.ts')).exportSnapshot,
  ),
]
