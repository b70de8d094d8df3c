/** What is known of an event: facts, what it changed, and its place in the chain. */
import { clsx } from 'clsx'
import { Fragment, type ReactNode } from 'react'
import { CopyButton, Note } from '../../components/feedback.tsx'
import { Facts, Time } from '../../components/layout.tsx'
import type { AuditEvent } from '../../events/index.ts'
import { Actor, Organization, Subject } from '../../events/sentence.tsx'
import { OutcomeMark } from '../../events/timeline.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'

function Copied({ text }: { readonly text: string }) {
  const t = useMessages(messages)
  return (
    <span dir="ltr" className="-ms-1 font-mono text-12">
      <CopyButton text={text} label={t('copy')} isVisible />
    </span>
  )
}

export function EventFacts({ event }: { readonly event: AuditEvent }) {
  const t = useMessages(messages)
  const { actor, impersonatedBy, ipAddress, organization, requestId, target, user } = event
  const facts: (readonly [string, ReactNode])[] = [
    [
      t('outcome'),
      <span key="outcome" className="inline-flex items-center gap-2">
        <OutcomeMark outcome={event.outcome} />
        {t(event.outcome)}
      </span>,
    ],
    [t('time'), <ExactTime key="time" value={event.createdAt} />],
    [
      t('actor'),
      impersonatedBy ? (
        <Subject key="actor" user={impersonatedBy} />
      ) : (
        <span key="actor">
          <Actor event={{ ...event, user: null }} />
          {actor.kind === 'user' || actor.kind === 'anonymous' ? null : <span className="text-muted"> · {t(actor.kind)}</span>}
        </span>
      ),
    ],
    ...(impersonatedBy ? [[t('actedAs'), <Actor key="as" event={event} />] as const] : []),
    ...(user ? [[t('user'), <Subject key="user" user={user} />] as const] : []),
    ...(organization ? [[t('organization'), <Organization key="organization" organization={organization} />] as const] : []),
    ...(target && target.id !== user?.id && target.id !== organization?.id
      ? [
          [
            t('target'),
            <span key="target" translate="no">
              {target.name ? <bdi className="me-2">{target.name}</bdi> : null}
              <span className="text-muted">{target.type}</span> <Copied text={target.id} />
            </span>,
          ] as const,
        ]
      : []),
    ...(ipAddress ? [[t('ipAddress'), <Copied key="ip" text={ipAddress} />] as const] : []),
    ...(requestId ? [[t('requestId'), <Copied key="request" text={requestId} />] as const] : []),
    [t('eventId'), <Copied key="id" text={event.id} />],
  ]
  return <Facts facts={facts} isNarrow />
}

function ExactTime({ value }: { readonly value: string }) {
  return (
    <>
      <Time value={value} style="dateTime" />
      <span translate="no" className="block font-mono text-12 text-muted">
        {value}
      </span>
    </>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

interface Change {
  readonly name: string
  readonly from: unknown
  readonly to: unknown
}

const hasBoth = (value: unknown): value is Pick<Change, 'from' | 'to'> =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

/** Former and new values: of the event itself, or of members of its details. */
function changesOf({ from, to, ...rest }: AuditEvent['details']): readonly Change[] {
  const own = from === undefined && to === undefined ? [] : [{ name: '', from, to }]
  return [...own, ...Object.entries(rest).flatMap(([name, value]) => (hasBoth(value) ? [{ name, ...value }] : []))]
}

const Heading = ({ children }: { readonly children: string }) => <h3 className="mt-5 mb-2 text-13">{children}</h3>

export function Changes({ details }: Pick<AuditEvent, 'details'>) {
  const t = useMessages(messages)
  const { reason, from: _, to: __, ...rest } = details
  const changes = changesOf(details)
  const others = Object.entries(rest).filter(([, value]) => !hasBoth(value))
  return (
    <>
      {typeof reason === 'string' ? (
        <>
          <Heading>{t('reason')}</Heading>
          <p className="text-13 wrap-anywhere whitespace-pre-wrap">{reason}</p>
        </>
      ) : null}
      {changes.length > 0 ? (
        <>
          <Heading>{t('change')}</Heading>
          <div className="overflow-hidden rounded-control border border-border">
            {changes.map((change) => (
              <Fragment key={change.name}>
                <Value sign="−" label={t('former')} {...change} value={change.from} />
                <Value sign="+" label={t('present')} {...change} value={change.to} />
              </Fragment>
            ))}
          </div>
        </>
      ) : null}
      {others.length > 0 ? (
        <>
          <Heading>{t('details')}</Heading>
          <dl translate="no" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-12">
            {others.map(([name, value]) => (
              <Fragment key={name}>
                <dt className="text-muted">{name}</dt>
                <dd className="wrap-anywhere">{Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value)}</dd>
              </Fragment>
            ))}
          </dl>
        </>
      ) : null}
    </>
  )
}

interface ValueProps {
  readonly sign: '−' | '+'
  readonly label: string
  readonly name: string
  readonly value: unknown
}

const Value = ({ sign, label, name, value }: ValueProps) => (
  <div
    className={clsx(
      'flex gap-3 px-3 py-1 font-mono text-12',
      sign === '+' ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger',
    )}
  >
    <span aria-hidden>{sign}</span>
    <span className="sr-only">{label}</span>
    {name ? <span>{name}</span> : null}
    <span translate="no" className="min-w-0 wrap-anywhere">
      {value === null || value === undefined ? '–' : textOf(value)}
    </span>
  </div>
)

interface IntegrityProps {
  readonly event: AuditEvent & { readonly previousHash: string | null; readonly isValid: boolean }
}

/** The start and the end of what follows the name of the key, which is the same in all; the hash itself is in the JSON. */
function shorten(hash: string): string {
  const own = hash.slice(hash.indexOf('.') + 1)
  return `${own.slice(0, 8)} … ${own.slice(-6)}`
}

export function Integrity({ event: { hash, isValid, previousHash, sequence } }: IntegrityProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  return (
    <>
      <Heading>{t('integrity')}</Heading>
      {isValid ? null : (
        <div className="mb-2">
          <Note tone="danger">{t('hashDiffers')}</Note>
        </div>
      )}
      {hash === null || sequence === null ? (
        <p className="text-13 text-muted">{t('notChained')}</p>
      ) : (
        <>
          <ul className="grid gap-1 text-12">
            {previousHash ? <Hash hash={previousHash} label={t('previousHash')} /> : null}
            <Hash hash={hash} label={t('ownHash')} isOwn />
          </ul>
          {isValid ? <p className="mt-2 text-13 text-muted">{t('hashMatches', { number: format.number(sequence) })}</p> : null}
        </>
      )}
    </>
  )
}

const Hash = ({ hash, label, isOwn = false }: { readonly hash: string; readonly label: string; readonly isOwn?: boolean }) => (
  <li className={clsx('flex items-center gap-2.5', isOwn || 'text-muted')}>
    <OutcomeMark outcome="succeeded" />
    <span className="font-mono">{shorten(hash)}</span> {label}
  </li>
)
