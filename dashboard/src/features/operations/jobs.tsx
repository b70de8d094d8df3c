/** The periodic work of the daemons: when each ran last, how it ended, and when it is due. */
import { useQuery } from '@tanstack/react-query'
import { Layers } from 'lucide-react'
import { Note } from '../../components/feedback.tsx'
import { Tag, Time } from '../../components/layout.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import type { Column } from '../../components/table-parts.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { type Job, jobsQuery } from './data.ts'
import { Code, CodeHead, Command, inUnits, Status, type Tone } from './parts.tsx'
import { SystemPage } from './system.tsx'
import { systemMessages } from './system-messages.ts'

export function Screen() {
  const t = useMessages(systemMessages)
  const query = useQuery(jobsQuery)
  const columns = useColumns()
  return (
    <SystemPage
      path="/admin/jobs"
      lead={t('jobsLead')}
      query={query}
      skeleton={<TableSkeleton columns={columns} icon="square" rows={14} />}
    >
      {({ jobs }) => (
        <>
          <LateNote count={jobs.filter(({ isLate }) => isLate).length} />
          <JobTable jobs={jobs} />
        </>
      )}
    </SystemPage>
  )
}

function LateNote({ count }: { readonly count: number }) {
  const t = useMessages(systemMessages)
  if (count === 0) return null
  return (
    <div className="mb-4 max-w-160">
      <Note tone="warning" title={t('lateJobs', { count })}>
        <p>{t('lateJobsText')}</p>
        <Command code="latchkey logs" />
      </Note>
    </div>
  )
}

function useColumns(): readonly Column[] {
  const t = useMessages(systemMessages)
  return [
    { label: t('job') },
    { label: t('lastRun') },
    { label: t('outcome') },
    { label: t('nextRun') },
    { label: t('runs'), isWideOnly: true },
  ]
}

function JobTable({ jobs }: { readonly jobs: readonly Job[] }) {
  const t = useMessages(systemMessages)
  const { format } = useLocale()
  return (
    <Table label={t('job')} columns={useColumns()}>
      {jobs.map((job) => (
        <Row key={job.name} head={<JobHead job={job} />}>
          <Cell label={t('lastRun')}>
            {job.lastStartedAt === null ? <span className="text-muted">{t('never')}</span> : <Time value={job.lastStartedAt} />}
          </Cell>
          <Cell label={t('outcome')}>
            <Outcome job={job} />
          </Cell>
          <Cell label={t('nextRun')}>
            <NextRun job={job} />
          </Cell>
          <Cell label={t('runs')} isWideOnly>
            <span className="tabular-nums">
              {job.failures === 0
                ? format.number(job.runs)
                : t('runsFailed', { runs: format.number(job.runs), failures: format.number(job.failures) })}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

const rhythms = { seconds: 'everySeconds', minutes: 'everyMinutes', hours: 'everyHours', days: 'everyDays' } as const

function JobHead({ job }: { readonly job: Job }) {
  const t = useMessages(systemMessages)
  const { unit, count } = inUnits(job.every)
  return (
    <CodeHead
      icon={<Layers className="size-4" />}
      name={job.name}
      tag={job.isLate ? <Tag tone="brass">{t('late')}</Tag> : null}
      detail={t(rhythms[unit], { count })}
    />
  )
}

const outcomes = {
  succeeded: { tone: 'ok', key: 'succeeded' },
  failed: { tone: 'failed', key: 'jobFailed' },
  aborted: { tone: 'quiet', key: 'aborted' },
} as const satisfies Record<NonNullable<Job['lastOutcome']>, { tone: Tone; key: string }>

function Outcome({ job: { lastOutcome, lastError, runningSince } }: { readonly job: Job }) {
  const t = useMessages(systemMessages)
  if (runningSince !== null) return <Status tone="waiting">{t('running')}</Status>
  if (lastOutcome === null) return <span className="text-muted">–</span>
  const { tone, key } = outcomes[lastOutcome]
  return (
    <>
      <Status tone={tone}>{t(key)}</Status>
      {lastError === null ? null : (
        <span className="block text-12 text-muted">
          <Code>{lastError}</Code>
        </span>
      )}
    </>
  )
}

function NextRun({ job: { nextDueAt, runningSince } }: { readonly job: Job }) {
  const t = useMessages(systemMessages)
  if (nextDueAt === null || runningSince !== null) return <span className="text-muted">–</span>
  return new Date(nextDueAt) > new Date() ? <Time value={nextDueAt} /> : t('dueNow')
}
