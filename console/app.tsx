import { useEffect } from 'preact/hooks'
import { LocationProvider, lazy, Route, Router } from 'preact-iso'
import { identity, identityError, readIdentity } from './lib/session.ts'
import { Overview } from './pages/overview/overview.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { Failure, Skeleton } from './ui/feedback.tsx'
import { Page } from './ui/page.tsx'
import { Shell } from './ui/shell.tsx'

const Runs = lazy(async () => (await import('./pages/runs/runs.tsx')).Runs)
const Backfills = lazy(async () => (await import('./pages/runs/backfills.tsx')).Backfills)
const Run = lazy(async () => (await import('./pages/runs/run.tsx')).Run)
const Accounts = lazy(async () => (await import('./pages/accounts/accounts.tsx')).Accounts)
const Upload = lazy(async () => (await import('./pages/upload/upload.tsx')).Upload)
const Company = lazy(async () => (await import('./pages/company/company.tsx')).Company)
const Firms = lazy(async () => (await import('./pages/firms/firms.tsx')).Firms)
const Trust = lazy(async () => (await import('./pages/trust/trust.tsx')).Trust)
const Sql = lazy(async () => (await import('./pages/sql/sql.tsx')).Sql)
const Personnel = lazy(async () => (await import('./pages/personnel/personnel.tsx')).Personnel)
const Tasks = lazy(async () => (await import('./pages/tasks/tasks.tsx')).Tasks)
const Task = lazy(async () => (await import('./pages/tasks/task.tsx')).Task)
const Quote = lazy(async () => (await import('./pages/quotes/quote.tsx')).Quote)
const Spending = lazy(async () => (await import('./pages/spending.tsx')).Spending)
const Deliveries = lazy(async () => (await import('./pages/webhooks/deliveries.tsx')).Deliveries)
const Settings = lazy(async () => (await import('./pages/settings/settings.tsx')).Settings)
const Reference = lazy(async () => (await import('./pages/reference/reference.tsx')).Reference)
const Keys = lazy(async () => (await import('./pages/keys/keys.tsx')).Keys)

/** Shows the page at the current address, after sign-in. */
export function App() {
  useEffect(() => {
    if (location.pathname === '/console/sign-in') identity.value = null
    else void readIdentity()
  }, [])
  if (identityError.value)
    return (
      <main class="sign-in">
        <Failure error={identityError.value} onRetry={() => void readIdentity()} />
      </main>
    )
  if (identity.value === undefined)
    return (
      <main class="sign-in">
        <Skeleton />
      </main>
    )
  if (identity.value === null || location.pathname === '/console/sign-in') return <SignIn />
  return (
    <LocationProvider scope="/console">
      <Shell>
        <Router>
          <Route path="/console" component={Overview} />
          <Route path="/console/accounts" component={Accounts} />
          <Route path="/console/accounts/upload" component={Upload} />
          <Route path="/console/companies/:domain" component={Company} />
          <Route path="/console/firms" component={Firms} />
          <Route path="/console/personnel" component={Personnel} />
          <Route path="/console/trust" component={Trust} />
          <Route path="/console/sql" component={Sql} />
          <Route path="/console/runs" component={Runs} />
          <Route path="/console/runs/backfills" component={Backfills} />
          <Route path="/console/runs/:id" component={Run} />
          <Route path="/console/tasks" component={Tasks} />
          <Route path="/console/tasks/:id" component={Task} />
          <Route path="/console/quotes/:id" component={Quote} />
          <Route path="/console/spending" component={Spending} />
          <Route path="/console/webhooks" component={Deliveries} />
          <Route path="/console/settings" component={Settings} />
          <Route path="/console/reference" component={Reference} />
          <Route path="/console/keys" component={Keys} />
          <Route default component={Unknown} />
        </Router>
      </Shell>
    </LocationProvider>
  )
}

const Unknown = () => (
  <Page
    name="Page not found"
    title="This page does not exist"
    lead="The address may be mistyped, or the page may have moved."
  >
    <p>
      <a class="button" href="/console">
        Open the overview
      </a>
    </p>
  </Page>
)
