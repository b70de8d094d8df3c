/** The keys that sign JSON Web Tokens: their states, and a way to rotate and retire them. */
import { useQuery } from '@tanstack/react-query'
import { KeySquare } from 'lucide-react'
import { useState } from 'react'
import { Note, Placeholder } from '../../components/feedback.tsx'
import { Card, Time } from '../../components/layout.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { type SigningKey, type SigningKeys, signingKeysQuery } from './data.ts'
import { messages } from './index.ts'
import { Code, CodeHead, Command, Status, type Tone, useDuration } from './parts.tsx'
import { type KeyAction, KeyDialog, KeyMenu, RotateKey } from './signing-key-actions.tsx'
import { keyMessages } from './system-messages.ts'

export function Screen() {
  const t = useMessages(messages)
  const k = useMessages(keyMessages)
  const query = useQuery(signingKeysQuery)
  const result = useResult()
  const isPermitted = useIsPermitted()
  const [action, setAction] = useState<KeyAction | null>(null)
  const isRotating = query.data?.keys.some(({ status }) => status === 'upcoming') ?? true
  return (
    <AdminPage
      title={t('signingKeys')}
      lead={k('lead')}
      query={query}
      actions={
        isPermitted('signingKey', 'rotate') && query.data && !isRotating ? (
          <RotateKey delay={query.data.activationDelay} onDone={result.show} />
        ) : null
      }
      controls={result.note}
    >
      {(data) => (
        <>
          <Notes {...data} />
          {data.keys.length === 0 ? (
            <NoKeys />
          ) : (
            <KeyTable keys={data.keys} onChoose={isPermitted('signingKey', 'retire') ? setAction : null} />
          )}
          <Schedule interval={data.rotationInterval} />
          <KeyDialog action={action} onClose={() => setAction(null)} onDone={result.show} focusAfter={result.ref} />
        </>
      )}
    </AdminPage>
  )
}

function Notes({ keys }: SigningKeys) {
  const t = useMessages(keyMessages)
  const isUnreadable = keys.some(({ isReadable }) => !isReadable)
  const isRotating = keys.some(({ status }) => status === 'upcoming')
  if (!isUnreadable && !isRotating) return null
  return (
    <div className="mb-4 grid max-w-160 gap-3">
      {isUnreadable ? (
        <Note tone="warning" title={t('unreadableTitle')}>
          {t('unreadableText')}
        </Note>
      ) : null}
      {isRotating ? <Note title={t('rotating')}>{t('rotatingText')}</Note> : null}
    </div>
  )
}

function Schedule({ interval }: { readonly interval: number }) {
  const t = useMessages(keyMessages)
  const duration = useDuration()
  return <p className="mt-3 text-13 text-muted">{interval === 0 ? t('manual') : t('every', { time: duration(interval) })}</p>
}

interface TableProps {
  readonly keys: readonly SigningKey[]
  /** Null: the role does not permit it. */
  readonly onChoose: ((action: KeyAction) => void) | null
}

const tones = { upcoming: 'waiting', current: 'ok', retired: 'quiet' } as const satisfies Record<SigningKey['status'], Tone>

function KeyTable({ keys, onChoose }: TableProps) {
  const t = useMessages(keyMessages)
  const columns = [{ label: t('key') }, { label: t('status') }, { label: t('next') }, { label: t('created'), isWideOnly: true }]
  return (
    <Table label={t('key')} columns={columns} hasActions={onChoose !== null}>
      {keys.map((key) => (
        <Row
          key={key.kid}
          head={<KeyHead signingKey={key} />}
          {...(onChoose && { action: <KeyMenu signingKey={key} onChoose={onChoose} /> })}
        >
          <Cell label={t('status')}>
            <Status tone={tones[key.status]}>{t(key.status)}</Status>
            {key.isReadable ? null : <span className="block text-12 text-muted">{t('unreadable')}</span>}
          </Cell>
          <Cell label={t('next')}>
            <NextStep signingKey={key} />
          </Cell>
          <Cell label={t('created')} isWideOnly>
            <Time value={key.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

const KeyHead = ({ signingKey: { kid, algorithm, curve } }: { readonly signingKey: SigningKey }) => (
  <div className="pe-12 card:pe-0">
    <CodeHead
      icon={<KeySquare className="size-4" />}
      name={kid}
      detail={<Code>{curve === null ? algorithm : `${algorithm} · ${curve}`}</Code>}
    />
  </div>
)

/** What happens to the key next, with the exact time: a tooltip hides it from touch and keyboard. */
function NextStep({ signingKey: key }: { readonly signingKey: SigningKey }) {
  const t = useMessages(keyMessages)
  const [label, at] = {
    upcoming: ['signsFrom', key.activatesAt] as const,
    current: key.endsAt === null ? (['rotates', key.rotatesAt] as const) : (['endsAt', key.endsAt] as const),
    retired: ['publishedUntil', key.publishedUntil] as const,
  }[key.status]
  if (at === null) return <span className="text-muted">{t('notPlanned')}</span>
  return (
    <>
      <span className="block text-12 text-muted">{t(label)}</span>
      <Time value={at} style="dateTime" />
    </>
  )
}

function NoKeys() {
  const t = useMessages(keyMessages)
  return (
    <Card className="max-w-160">
      <Placeholder icon={KeySquare} title={t('none')}>
        <p className="mb-1">{t('noneText')}</p>
        <Command code="latchkey keys list" />
      </Placeholder>
    </Card>
  )
}
