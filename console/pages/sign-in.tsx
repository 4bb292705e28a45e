import { useEffect, useState } from 'preact/hooks'
import type { RequestError } from '../lib/http.ts'
import { asRequestError } from '../lib/http.ts'
import { signIn } from '../lib/session.ts'
import { Failure, Notice, Skeleton } from '../ui/feedback.tsx'
import { Mark } from '../ui/shell.tsx'

/**
 * Reads the secret of a one-time link from the URL fragment. Browsers do not send the fragment, so a link preview
 * cannot use up the link.
 */
function takeLink(): string | undefined {
  const link = location.hash.slice(1)
  if (!/^[\w-]{20,}$/.test(link)) return undefined
  history.replaceState(null, '', '/console')
  return link
}

const PROBLEMS: Record<string, string> = {
  failed: "Single sign-on failed. Try again; the service's log contains the reason.",
  unverified: 'The provider reports no verified email address for this user.',
  unknown: 'No API key is labeled with your email address. Ask an operator to create one.',
}

/** Signs in with the link in the address, with an API key or with single sign-on. */
export function SignIn() {
  const [link] = useState(takeLink)
  const [isBusy, setBusy] = useState(link !== undefined)
  const [error, setError] = useState<RequestError>()
  const [key, setKey] = useState('')
  const problem = PROBLEMS[new URLSearchParams(location.search).get('problem') ?? '']

  const attempt = async (credential: { api_key: string } | { link: string }) => {
    setBusy(true)
    setError(undefined)
    try {
      await signIn(credential)
      if (location.pathname === '/console/sign-in') location.replace('/console')
    } catch (problem) {
      setError(asRequestError(problem))
      setBusy(false)
    }
  }
  useEffect(() => {
    document.title = 'Sign in · talhouse'
    if (link !== undefined) void attempt({ link })
  }, [])

  return (
    <main class="sign-in">
      <div class="card card-body stack">
        <div class="row">
          <Mark />
          <h1>Sign in to talhouse</h1>
        </div>
        {isBusy && link !== undefined && error === undefined ? (
          <Skeleton lines={2} />
        ) : (
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              void attempt({ api_key: key })
            }}
          >
            <div class="field">
              <label for="key">API key</label>
              <input
                id="key"
                class="input mono"
                type="password"
                autocomplete="off"
                placeholder="thk_…"
                required
                value={key}
                onInput={(event) => setKey(event.currentTarget.value)}
              />
            </div>
            {error && <Failure error={error} />}
            <button type="submit" class="button primary" disabled={isBusy}>
              Sign in
            </button>
            {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
            {document.documentElement.hasAttribute('data-single-sign-on') && (
              <a class="button" href="/console/single-sign-on">
                Sign in with single sign-on
              </a>
            )}
            <p class="muted">
              The key is sent once and not stored here. On the service's host, <code>npx talhouse console</code> prints
              a link that signs you in without a key.
            </p>
          </form>
        )}
      </div>
    </main>
  )
}
