/** Facts about the database, Redis, the emails and the processes. */
import { Card, Facts, Section, Time } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import type { Health } from './data.ts'
import { messages } from './index.ts'
import { Code } from './parts.tsx'
import { systemMessages } from './system-messages.ts'

interface Props {
  readonly health: Health
}

export function HealthFacts({ health }: Props) {
  const t = useMessages(systemMessages)
  return (
    <div className="mt-8 grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-8 console:grid-cols-2 [&>section]:mt-0">
      <Section title={t('database')}>
        <DatabaseFacts health={health} />
      </Section>
      {health.redis ? (
        <Section title={t('redis')}>
          <RedisFacts redis={health.redis} />
        </Section>
      ) : null}
      <Section title={t('mail')}>
        <MailFacts health={health} />
      </Section>
      <Section title={t('process')}>
        <ProcessFacts health={health} />
      </Section>
    </div>
  )
}

const nothing = <span className="text-muted">–</span>

function DatabaseFacts({ health: { database } }: Props) {
  const t = useMessages(systemMessages)
  const { format } = useLocale()
  const { product, latencyMs, pool } = database
  const used = pool && { active: format.number(pool.active), size: format.number(pool.size) }
  return (
    <FactCard
      facts={[
        [t('product'), product === null ? nothing : <Code key="product">{product}</Code>],
        [t('latency'), latencyMs === null ? nothing : t('milliseconds', { count: format.number(latencyMs) })],
        ...(used ? [[t('connections'), t('connectionsOf', used)] as const] : []),
      ]}
    />
  )
}

function RedisFacts({ redis: { version, latencyMs, memoryPolicy } }: { readonly redis: NonNullable<Health['redis']> }) {
  const t = useMessages(systemMessages)
  const { format } = useLocale()
  return (
    <FactCard
      facts={[
        [t('product'), version === null ? nothing : <Code key="version">{`Redis ${version}`}</Code>],
        [t('latency'), latencyMs === null ? nothing : t('milliseconds', { count: format.number(latencyMs) })],
        [t('memoryPolicy'), memoryPolicy === null ? nothing : <Code key="policy">{memoryPolicy}</Code>],
      ]}
    />
  )
}

function MailFacts({ health: { mail } }: Props) {
  const t = useMessages(messages)
  const s = useMessages(systemMessages)
  const { format } = useLocale()
  const number = (value: number | null) => (value === null ? nothing : format.number(value))
  return (
    <FactCard
      facts={[
        [t('waiting'), number(mail.waiting)],
        [t('failed'), number(mail.failed)],
        [s('oldestWaiting'), mail.oldestWaitingAt === null ? nothing : <Time key="oldest" value={mail.oldestWaitingAt} />],
      ]}
    />
  )
}

function ProcessFacts({ health: { workers, startedAt, node, version } }: Props) {
  const t = useMessages(systemMessages)
  const { format } = useLocale()
  return (
    <FactCard
      facts={[
        [t('version'), <Code key="version">{version}</Code>],
        [t('nodeVersion'), <Code key="node">{node}</Code>],
        [t('started'), startedAt === null ? nothing : <Time key="started" value={startedAt} />],
        [
          t('workers'),
          workers === null || workers.length === 0 ? (
            nothing
          ) : (
            <ul key="workers">
              {workersByDaemon(workers).map(({ host, process, count }) => (
                <li key={`${host} ${process}`}>
                  {format.number(count)} · <Code>{`${host}:${process}`}</Code>
                </li>
              ))}
            </ul>
          ),
        ],
      ]}
    />
  )
}

/** A daemon is a process of a host; its workers are counted. */
function workersByDaemon(workers: NonNullable<Health['workers']>) {
  const counts = new Map<string, { readonly host: string; readonly process: number; count: number }>()
  for (const { host, process } of workers) {
    const key = `${host} ${process}`
    const known = counts.get(key)
    if (known) known.count += 1
    else counts.set(key, { host, process, count: 1 })
  }
  return [...counts.values()]
}

const FactCard = ({ facts }: { readonly facts: Parameters<typeof Facts>[0]['facts'] }) => (
  <Card className="px-4">
    <Facts isNarrow facts={facts} />
  </Card>
)
