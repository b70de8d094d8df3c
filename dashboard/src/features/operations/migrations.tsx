/** The migration files, what is pending, and how the database differs. */
import { useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import type { ReactNode } from 'react'
import { Note } from '../../components/feedback.tsx'
import { Card, Line, Lines, Section, Time } from '../../components/layout.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { type Migrations, migrationsQuery } from './data.ts'
import { Code, CodeHead, Command, Status, type Tone } from './parts.tsx'
import { SystemPage } from './system.tsx'
import { systemMessages } from './system-messages.ts'

export function Screen() {
  const t = useMessages(systemMessages)
  const query = useQuery(migrationsQuery)
  return (
    <SystemPage path="/admin/migrations" lead={t('migrationsLead')} query={query}>
      {(migrations) => (
        <>
          <Notes migrations={migrations} />
          {migrations.files.length > 0 ? <FileTable files={migrations.files} /> : null}
          <Differences migrations={migrations} />
        </>
      )}
    </SystemPage>
  )
}

function Notes({ migrations: { state, keepsFiles, pending, ungenerated } }: { readonly migrations: Migrations }) {
  const t = useMessages(systemMessages)
  return (
    <div className="mb-4 grid max-w-160 gap-3">
      {state === 'current' ? (
        <Note tone="success" title={t('current')}>
          {t(keepsFiles ? 'currentText' : 'embeddedText')}
        </Note>
      ) : null}
      {pending.length > 0 ? (
        <Advice title={t('pendingTitle', { count: pending.length })} text={t('pendingText')} code="latchkey migrate up" />
      ) : null}
      {ungenerated.length > 0 ? (
        <Advice
          title={t('ungeneratedTitle', { count: ungenerated.length })}
          text={t('ungeneratedText')}
          code="latchkey migrate generate"
        />
      ) : null}
      {state === 'drifted' ? <Advice title={t('driftedTitle')} text={t('driftedText')} code="latchkey migrate status" /> : null}
    </div>
  )
}

const Advice = ({ title, text, code }: { readonly title: string; readonly text: ReactNode; readonly code: string }) => (
  <Note tone="warning" title={title}>
    <p>{text}</p>
    <Command code={code} />
  </Note>
)

type File = Migrations['files'][number]
const looks = {
  applied: { tone: 'ok', key: 'applied' },
  pending: { tone: 'waiting', key: 'pending' },
  interrupted: { tone: 'failed', key: 'interrupted' },
  edited: { tone: 'warning', key: 'edited' },
  missing: { tone: 'warning', key: 'missing' },
} as const satisfies Record<File['state'], { readonly tone: Tone; readonly key: string }>

function FileTable({ files }: { readonly files: readonly File[] }) {
  const t = useMessages(systemMessages)
  const { format } = useLocale()
  const columns = [
    { label: t('migration') },
    { label: t('migrationStatus') },
    { label: t('appliedAt') },
    { label: t('appliedBy'), isWideOnly: true },
    { label: t('duration'), isWideOnly: true },
  ]
  const nothing = <span className="text-muted">–</span>
  return (
    <Table label={t('migration')} columns={columns}>
      {files.map(({ name, state, appliedAt, appliedBy, duration }) => (
        <Row key={name} head={<CodeHead icon={<Database className="size-4" />} name={name} />}>
          <Cell label={t('migrationStatus')}>
            <Status tone={looks[state].tone}>{t(looks[state].key)}</Status>
          </Cell>
          <Cell label={t('appliedAt')}>{appliedAt === null ? nothing : <Time value={appliedAt} style="dateTime" />}</Cell>
          <Cell label={t('appliedBy')} isWideOnly isWrapping>
            {appliedBy === null ? nothing : <Code>{appliedBy}</Code>}
          </Cell>
          <Cell label={t('duration')} isWideOnly>
            {duration === null ? nothing : t('milliseconds', { count: format.number(duration) })}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

/** The server describes them, in English. */
function Differences({ migrations: { drift, ungenerated } }: { readonly migrations: Migrations }) {
  const t = useMessages(systemMessages)
  if (drift.length === 0 && ungenerated.length === 0) return null
  return (
    <div className="mt-8">
      <Section title={t('differences')} detail={drift.length + ungenerated.length}>
        <Card>
          <Lines>
            {drift.map(({ path, message }) => (
              <Line key={path} title={<Code>{path}</Code>}>
                <span lang="en" dir="ltr">
                  {message}
                </span>
              </Line>
            ))}
            {ungenerated.map((name) => (
              <Line key={name} title={<Code>{name}</Code>} />
            ))}
          </Lines>
        </Card>
      </Section>
    </div>
  )
}
