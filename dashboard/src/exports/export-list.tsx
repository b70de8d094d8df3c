/** The exports of a list in the last day: their progress, and their files. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Pause, Play, Trash2 } from 'lucide-react'
import { useCodeText } from '../api/errors.ts'
import { Button, ExternalButton } from '../components/button.tsx'
import { ErrorNote } from '../components/feedback.tsx'
import { Card, Line, Lines, Tag, Time } from '../components/layout.tsx'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { call } from '../session/session.ts'
import { downloadURL, exportsQuery, type ListExport, refreshExports } from './data.ts'
import { exportMessages } from './index.ts'

export function ExportList({ source }: { readonly source: string }) {
  const t = useMessages(exportMessages)
  const { data, error } = useQuery(exportsQuery(source))
  if (error) return <ErrorNote error={error} />
  if (!data || data.exports.length === 0) return null
  return (
    <section aria-labelledby="own-exports" className="grid gap-2">
      <h3 id="own-exports" className="text-13 font-medium">
        {t('ownExports')}
      </h3>
      <p className="text-13 text-muted">{t('ownExportsText')}</p>
      <Card>
        <Lines>
          {data.exports.map((one) => (
            <ExportLine key={one.id} one={one} />
          ))}
        </Lines>
      </Card>
    </section>
  )
}

const states = {
  running: ['accent', 'running'],
  paused: ['brass', 'paused'],
  completed: ['success', 'completed'],
  failed: ['danger', 'failed'],
} as const

/** Whether rows are still to be written. */
const isOpen = ({ state }: ListExport): boolean => state === 'running' || state === 'paused'

function ExportLine({ one }: { readonly one: ListExport }) {
  const t = useMessages(exportMessages)
  const { format } = useLocale()
  const codeText = useCodeText()
  const [tone, state] = states[one.state]
  const rows = t('rows', { count: one.rows })
  return (
    <Line
      title={
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          {one.format.toUpperCase()}
          <Tag tone={tone}>{t(state)}</Tag>
          <span role="status" className="text-13 font-normal text-muted tabular-nums">
            {one.total === null || !isOpen(one) ? rows : t('rowsOf', { rows, total: format.estimate(one.total) })}
          </span>
        </span>
      }
      action={<Actions one={one} />}
    >
      <span className="text-12">{one.code === null ? <Time value={one.createdAt} /> : codeText(one.code)}</span>
      {isOpen(one) ? (
        <progress
          aria-label={rows}
          value={one.total === null ? undefined : Math.min(one.rows, one.total)}
          max={one.total ?? undefined}
          className="block h-1.5 w-full accent-(--accent)"
        />
      ) : null}
    </Line>
  )
}

function Actions({ one }: { readonly one: ListExport }) {
  const t = useMessages(exportMessages)
  const change = useMutation({
    mutationFn: (name: 'pause' | 'resume' | 'delete') => call(`POST /list-export/${name}`, { body: { id: one.id } }),
    onSettled: refreshExports,
  })
  const name = one.state === 'running' ? 'pause' : 'resume'
  const Icon = one.state === 'running' ? Pause : Play
  return (
    <div className="flex flex-wrap items-center gap-2">
      {one.state === 'completed' ? (
        <ExternalButton href={downloadURL(one)}>
          <Download aria-hidden className="size-4" />
          {t('download')}
        </ExternalButton>
      ) : null}
      {isOpen(one) ? (
        <Button isBusy={change.isPending} onClick={() => change.mutate(name)}>
          <Icon aria-hidden className="size-4" />
          {t(name)}
        </Button>
      ) : null}
      <Button isBusy={change.isPending} onClick={() => change.mutate('delete')}>
        <Trash2 aria-hidden className="size-4" />
        {t('delete')}
      </Button>
      {change.error ? <ErrorNote error={change.error} /> : null}
    </div>
  )
}
