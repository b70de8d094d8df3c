/** The rate limits of a client: first the paths that it has used. */
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/layout.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import type { CallState } from './data.ts'
import { messages } from './index.ts'
import { Code, Status, useDuration } from './parts.tsx'

const isUsed = ({ count, wait }: CallState): boolean => (count ?? 0) > 0 || (wait ?? 0) > 0

export function CallTable({ calls }: { readonly calls: readonly CallState[] }) {
  const t = useMessages(messages)
  const [showsAll, setShowsAll] = useState(false)
  const used = calls.filter(isUsed)
  const shown = showsAll ? calls : used
  return (
    <>
      {shown.length === 0 ? <Card className="px-4 py-3.5 text-13 text-muted">{t('noRequests')}</Card> : <Calls calls={shown} />}
      {used.length < calls.length ? (
        <div className="mt-3">
          <Button onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t('showUsedPaths') : t('showAllPaths', { count: calls.length })}
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Calls({ calls }: { readonly calls: readonly CallState[] }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const columns = [{ label: t('path') }, { label: t('limit') }, { label: t('used') }, { label: t('wait') }]
  return (
    <Table columns={columns}>
      {calls.map((state) => (
        <Row
          key={`${state.method} ${state.pattern}`}
          head={state.pattern === null ? t('otherPaths') : <Code>{`${state.method} ${state.pattern}`}</Code>}
        >
          <Cell label={t('limit')}>
            <Rule rule={state.rule} />
          </Cell>
          <Cell label={t('used')}>
            <span className="tabular-nums">{state.count === null ? t('unknown') : format.number(state.count)}</span>
          </Cell>
          <Cell label={t('wait')}>
            <Wait wait={state.wait} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function Rule({ rule }: Pick<CallState, 'rule'>) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const duration = useDuration()
  if (rule === false) return <span className="text-muted">{t('noLimit')}</span>
  if (rule === 'function') return t('byFunction')
  return t('limitOf', { max: format.number(rule.max), time: duration(rule.window) })
}

function Wait({ wait }: Pick<CallState, 'wait'>) {
  const t = useMessages(messages)
  const duration = useDuration()
  if (wait === null) return <span className="text-muted">{t('unknown')}</span>
  return wait > 0 ? (
    <Status tone="failed">{t('lockedFor', { time: duration(wait) })}</Status>
  ) : (
    <Status tone="ok">{t('allowed')}</Status>
  )
}
