import { useEffect, useRef, useState } from 'preact/hooks'
import type { WarehouseDictionary, WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { formatNumber } from '../../lib/format.ts'
import type { RequestError } from '../../lib/http.ts'
import { asRequestError, request } from '../../lib/http.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty, Failure } from '../../ui/feedback.tsx'
import { Card, Loaded, Page } from '../../ui/page.tsx'
import { Dictionary } from './dictionary.tsx'
import { Editor } from './editor.tsx'
import { QUESTIONS } from './questions.ts'
import { Result } from './result.tsx'

const FIRST =
  'select region, count(*) as firms\nfrom warehouse.firm\nwhere gone_at is null\ngroup by region\norder by firms desc'
const LIMITS = [1_000, 5_000, 10_000] as const

/** Queries the warehouse in SQL, with the permissions of an analyst. */
export function Sql() {
  const { query, change } = useQuery()
  const [text, setText] = useState(query['sql'] ?? FIRST)
  const [limit, setLimit] = useState<number>(LIMITS[0])
  const dictionary = useResource<WarehouseDictionary>('/v2/warehouse/tables')
  const { result, error, isRunning, run, cancel } = useSqlQuery()
  const start = (statement: string) => {
    change({ sql: statement }, true)
    void run(statement, limit)
  }
  const choose = (statement: string) => {
    setText(statement)
    start(statement)
  }
  return (
    <Page
      name="SQL"
      title="SQL"
      lead="Read the warehouse as an analyst. Statements can run for up to a minute and cannot change data."
    >
      <div class="sql-page">
        <div class="stack">
          <Card>
            <div class="stack-small no-print">
              <select
                class="input"
                aria-label="Documented questions"
                value=""
                onChange={(event) => {
                  const question = QUESTIONS[Number(event.currentTarget.value)]
                  if (question) choose(question.sql)
                  event.currentTarget.value = ''
                }}
              >
                <option value="">Choose a question …</option>
                {QUESTIONS.map(({ title }, index) => (
                  <option key={title} value={index}>
                    {index + 1}. {title}
                  </option>
                ))}
              </select>
              <Editor value={text} onInput={setText} onRun={() => start(text)} dictionary={dictionary.data} />
              <div class="row wrap">
                {isRunning ? (
                  <button type="button" class="button danger" onClick={cancel}>
                    Cancel
                  </button>
                ) : (
                  <button type="button" class="button primary" disabled={!text.trim()} onClick={() => start(text)}>
                    Run
                  </button>
                )}
                <label class="row">
                  <span class="muted">Rows</span>
                  <select class="input" value={limit} onChange={(event) => setLimit(Number(event.currentTarget.value))}>
                    {LIMITS.map((count) => (
                      <option key={count} value={count}>
                        {formatNumber(count)}
                      </option>
                    ))}
                  </select>
                </label>
                <span class="muted">
                  <kbd>Ctrl</kbd> <kbd>Enter</kbd> runs, <kbd>Ctrl</kbd> <kbd>Space</kbd> completes
                </span>
              </div>
            </div>
          </Card>
          {error && <Failure error={error} />}
          {isRunning && <Running />}
          {!isRunning && result && <Result result={result} />}
          {!isRunning && !result && !error && (
            <Empty title="No result yet">Write a query or choose a question, then run it.</Empty>
          )}
        </div>
        <Loaded resource={dictionary}>
          {(data) => <Dictionary dictionary={data} onInsert={(name) => setText(`${text.trimEnd()} ${name}`)} />}
        </Loaded>
      </div>
    </Page>
  )
}

const Running = () => {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="muted" role="status">
      Running for {seconds} s …
    </p>
  )
}

/** Runs one query at a time. Cancelling a request also cancels its query in the database. */
function useSqlQuery() {
  const [state, setState] = useState<{ result?: WarehouseQueryResult; error?: RequestError; isRunning: boolean }>({
    isRunning: false,
  })
  const current = useRef<AbortController>(null)
  useEffect(() => () => current.current?.abort(), [])
  const run = async (sql: string, limit: number) => {
    current.current?.abort()
    const aborter = new AbortController()
    current.current = aborter
    setState({ isRunning: true })
    try {
      const body = { sql, limit }
      const result = await request<WarehouseQueryResult>('POST', '/v2/warehouse/query', {
        body,
        signal: aborter.signal,
      })
      setState({ result, isRunning: false })
    } catch (error) {
      if (aborter.signal.aborted) setState((now) => (current.current === aborter ? { isRunning: false } : now))
      else setState({ error: asRequestError(error), isRunning: false })
    }
  }
  return { ...state, run, cancel: () => current.current?.abort() }
}
