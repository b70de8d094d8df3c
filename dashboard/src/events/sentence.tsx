/** An event as a sentence, whose users and things are links. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSettings } from '../api/calls.ts'
import { useMessages } from '../i18n/messages.ts'
import { useMailKind } from '../messages/mail-kinds.ts'
import { type AuditEvent, eventMessages, isKnownAction } from './index.ts'

/** Characters of no script: sentences are transformed by pseudo-locales, and then divided at these places. */
const places = { actor: '\u{E000}', user: '\u{E001}', target: '\u{E002}', organization: '\u{E003}' } as const
const anyPlace = /([\u{E000}-\u{E003}])/u

type Nodes = Readonly<Record<string, ReactNode>>

/** The text with nodes at its places. */
const fill = (text: string, nodes: Nodes): ReactNode[] =>
  text.split(anyPlace).map((part) => {
    const node = nodes[part]
    return node === undefined ? part : <span key={part}>{node}</span>
  })

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** @returns a function that names a sign-in method: its provider, or a password */
function useMethodName(): (details: AuditEvent['details']) => string {
  const t = useMessages(eventMessages)
  const providers = useSettings().socialProviders
  return ({ method, providerId, kind }) => {
    const id = textOf(method).replace(/^social:/, '') || textOf(providerId)
    // It says nothing more than the name of the user.
    if (id === 'anonymous') return ''
    if (id === 'password' || id === 'credential') return t('passwordMethod')
    return providers.find((one) => one.id === id)?.name ?? (id || textOf(kind))
  }
}

interface PartyProps {
  readonly name: string | null
  /** What is shown when the name is gone. */
  readonly fallback: string
  readonly to?: string | undefined
}

/** A user or a thing, with a link to its page. */
function Party({ name, fallback, to }: PartyProps) {
  const known = name?.trim()
  const shown = known ? <bdi className="font-medium">{known}</bdi> : <i className="text-muted">{fallback}</i>
  return known && to !== undefined ? (
    <Link to={to} className="relative z-1 inline-block rounded-sm py-0.5 font-medium underline-offset-3 hover:underline">
      {shown}
    </Link>
  ) : (
    shown
  )
}

const userPath = (id: string | null) => (id === null ? undefined : `/admin/users/${encodeURIComponent(id)}`)

/** Who acted: a user, an operator, a job, or a visitor. */
export function Actor({ event: { actor, user } }: { readonly event: AuditEvent }) {
  const t = useMessages(eventMessages)
  if (actor.kind === 'user') return <Party name={actor.name} fallback={t('deletedUser')} to={userPath(actor.id)} />
  if (actor.kind === 'operator') return <Party name={actor.name} fallback={t('operator')} />
  if (actor.kind === 'system') return <span className="font-medium">{t('system')}</span>
  return user ? <Party name={user.name} fallback={t('deletedUser')} to={userPath(user.id)} /> : <i>{t('visitor')}</i>
}

export function Subject({ user }: { readonly user: NonNullable<AuditEvent['user']> }) {
  const t = useMessages(eventMessages)
  return <Party name={user.name} fallback={t('deletedUser')} to={userPath(user.id)} />
}

export function Organization({ organization }: { readonly organization: NonNullable<AuditEvent['organization']> }) {
  const t = useMessages(eventMessages)
  const to = `/admin/organizations/${encodeURIComponent(organization.id)}`
  return <Party name={organization.name} fallback={t('deletedOrganization')} to={to} />
}

/** Events keep the names of teams and organizations; those of roles are their IDs. */
const nameOf = ({ target, details }: AuditEvent): string | null =>
  target?.name ?? (textOf(details.name) || (target?.type === 'role' ? target.id : null))

const isByVisitor = ({ actor }: AuditEvent): boolean => actor.kind === 'anonymous'

function useNodes(event: AuditEvent): Nodes {
  const t = useMessages(eventMessages)
  const { action, actor, impersonatedBy, organization, target, user } = event
  const by = <Actor event={event} />
  const real = impersonatedBy && <Subject user={impersonatedBy} />
  const hasEnded = action === 'user.impersonation-stopped'
  const inner = { [places.actor]: real, [places.user]: by }
  return {
    [places.actor]: real ? (hasEnded ? real : fill(t('actingAs', { actor: places.actor, user: places.user }), inner)) : by,
    [places.user]: user ? <Subject user={user} /> : actor.kind === 'user' ? by : <i>{t('visitor')}</i>,
    [places.target]: <Party name={nameOf(event)} fallback={target?.id ?? t('deletedThing')} />,
    [places.organization]: organization ? (
      <Organization organization={{ ...organization, name: organization.name ?? (textOf(event.details.name) || null) }} />
    ) : (
      <i>{t('deletedOrganization')}</i>
    ),
  }
}

export function EventSentence({ event }: { readonly event: AuditEvent }) {
  const t = useMessages(eventMessages)
  const method = useMethodName()
  const mailKind = useMailKind()
  const nodes = useNodes(event)
  const { action, actor, details, outcome, user } = event
  const values = {
    ...places,
    isOwn: user === null ? actor.kind === 'user' : isByVisitor(event) || actor.id === user.id,
    hasUser: user !== null,
    hasFailed: outcome === 'failed',
    role: textOf(details.role),
    from: textOf(details.from),
    to: textOf(details.to),
    team: textOf(details.team),
    method: action === 'mail.failed' ? mailKind(textOf(details.kind)) : method(details),
    route: textOf(details.route),
    reason: textOf(details.reason),
    count: typeof details.count === 'number' ? details.count : 1,
  }
  return <span data-sentence>{fill(t(isKnownAction(action) ? action : 'otherAction', values), nodes)}</span>
}
