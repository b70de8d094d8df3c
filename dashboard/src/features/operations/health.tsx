/** Whether the parts of the instance work, with what is known of each. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { Card, Section } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { type Health, healthQuery } from './data.ts'
import { HealthFacts } from './health-facts.tsx'
import { useSentence } from './health-sentence.ts'
import { Status } from './parts.tsx'
import { SystemPage } from './system.tsx'
import { systemMessages } from './system-messages.ts'

export function Screen() {
  const t = useMessages(systemMessages)
  const query = useQuery(healthQuery)
  return (
    <SystemPage
      path="/admin/health"
      lead={t('healthLead')}
      query={query}
      actions={
        <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {query.isFetching ? null : <RefreshCw aria-hidden className="size-4" />}
          {t('refresh')}
        </Button>
      }
    >
      {(health) => (
        <>
          <Verdict checks={health.checks} />
          <Checks checks={health.checks} />
          <HealthFacts health={health} />
        </>
      )}
    </SystemPage>
  )
}

function Verdict({ checks }: Pick<Health, 'checks'>) {
  const t = useMessages(systemMessages)
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length
  const [failed, warnings] = [count('failed'), count('warning')]
  return (
    <div className="mb-4 max-w-160">
      {failed > 0 ? (
        <Note tone="danger" title={t('someFailed', { count: failed })} />
      ) : warnings > 0 ? (
        <Note tone="warning" title={t('someWarnings', { count: warnings })} />
      ) : (
        <Note tone="success" title={t('allHealthy')} />
      )}
    </div>
  )
}

type Check = Health['checks'][number]

const titles = {
  database: 'database',
  redis: 'redis',
  mail: 'mail',
  jobs: 'jobsPart',
  audit: 'auditPart',
  migrations: 'migrationsPart',
  configuration: 'configurationPart',
  daemons: 'daemonsPart',
  deletions: 'deletionsPart',
} as const
const words = { ok: 'ok', warning: 'warning', failed: 'checkFailed' } as const

/** The page with the details of a part. */
const pages: Partial<Record<Check['id'], string>> = {
  mail: '/admin/mails',
  jobs: '/admin/jobs',
  migrations: '/admin/migrations',
  configuration: '/admin/configuration',
}

function Checks({ checks }: Pick<Health, 'checks'>) {
  const t = useMessages(systemMessages)
  const sentence = useSentence()
  return (
    <Section title={t('checks')}>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 card:grid-cols-2 console:grid-cols-3">
        {checks.map((check) => {
          const page = pages[check.id]
          const title = t(titles[check.id])
          return (
            <li key={check.id} className="grid">
              <Card className="px-4 py-3">
                <h3 className="flex items-center gap-2 text-14">
                  {page === undefined ? (
                    title
                  ) : (
                    <Link to={page} className="rounded-sm hover:underline">
                      {title}
                    </Link>
                  )}
                  <span className="ms-auto text-12 font-normal text-muted">
                    {check.state === 'ok' && check.message === 'not-configured' ? (
                      <Status tone="quiet">{t('notUsed')}</Status>
                    ) : (
                      <Status tone={check.state}>{t(words[check.state])}</Status>
                    )}
                  </span>
                </h3>
                <p className="mt-1 text-13 text-muted wrap-anywhere">{sentence(check)}</p>
              </Card>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
