/** What happened to the security of the account, newest first. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  CircleAlert,
  Download,
  FileCheck,
  Fingerprint,
  History,
  KeyRound,
  KeySquare,
  Link2,
  LogOut,
  type LucideIcon,
  Mail,
  ShieldCheck,
  Smartphone,
  UserRound,
} from 'lucide-react'
import type { SecurityAction } from '../../../../src/features/index.ts'
import { useSettings } from '../../api/calls.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { useDeviceName } from '../../components/device.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, IconTile, PageHead, Tag, Time } from '../../components/layout.tsx'
import { ListPages, Loaded } from '../../components/list.tsx'
import { LinesSkeleton } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useListPage } from '../../routes/list-state.ts'
import { call, useSession } from '../../session/session.ts'
import { messages } from './activity-messages.ts'
import { messages as titles } from './index.ts'

const pageSize = 20

const readEvents = (cursor?: string) => call('GET /list-security-events', { query: { limit: pageSize, cursor } })
type SecurityEvent = Awaited<ReturnType<typeof readEvents>>['events'][number]

export function Screen() {
  const t = useMessages(messages)
  const title = useMessages(titles)('activity')
  const { session } = useSession()
  return (
    <>
      <PageHead title={title}>{t('lead')}</PageHead>
      <NotWhileImpersonating>{session.impersonatedBy ? null : <Events />}</NotWhileImpersonating>
    </>
  )
}

function Events() {
  const t = useMessages(messages)
  const { after } = useListPage()
  const query = useQuery({
    queryKey: ['security-events', after ?? ''],
    queryFn: () => readEvents(after),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })
  return (
    <Loaded query={query} skeleton={<LinesSkeleton count={8} />}>
      {({ events, nextCursor }) => (
        <Card>
          {events.length === 0 ? (
            <Placeholder icon={History} title={t('none')}>
              {t('noneText')}
            </Placeholder>
          ) : (
            <ol data-list tabIndex={-1} className="divide-y divide-border text-13 outline-none">
              {events.map((event) => (
                <EventLine key={event.id} event={event} />
              ))}
            </ol>
          )}
          <ListPages pageSize={pageSize} count={events.length} next={nextCursor} />
        </Card>
      )}
    </Loaded>
  )
}

/** Also which actions have a sentence: a newer server may send others. */
const icons: Readonly<Record<SecurityAction, LucideIcon>> = {
  'user.signed-in': KeyRound,
  'user.signed-out': LogOut,
  'sign-in.failed': KeyRound,
  'session.transferred': KeyRound,
  'sessions.revoked': LogOut,
  'two-factor.challenged': ShieldCheck,
  'two-factor.failed': ShieldCheck,
  'two-factor.locked': ShieldCheck,
  'magic-link.opened-elsewhere': Mail,
  'email-code.failed': Mail,
  'email-code.suspended': Mail,
  'password.changed': KeyRound,
  'password.reset': KeyRound,
  'password.set': KeyRound,
  'password.removed': KeyRound,
  'password.replacement-required': KeyRound,
  'password-reset.requested': KeyRound,
  'setup-link.created': KeyRound,
  'account.linked': Link2,
  'account.unlinked': Link2,
  'passkey.created': Fingerprint,
  'passkey.renamed': Fingerprint,
  'passkey.deleted': Fingerprint,
  'passkey.cloned': Fingerprint,
  'passkey.suspended': Fingerprint,
  'passkey.rejected': Fingerprint,
  'passkey.restored': Fingerprint,
  'two-factor.enabled': ShieldCheck,
  'two-factor.disabled': ShieldCheck,
  'two-factor.method-added': ShieldCheck,
  'two-factor.method-removed': ShieldCheck,
  'two-factor.backup-codes-created': ShieldCheck,
  'two-factor.backup-code-used': ShieldCheck,
  'two-factor.backup-code-rehearsed': ShieldCheck,
  'two-factor.secret-shown': ShieldCheck,
  'two-factor.suspended': ShieldCheck,
  'trusted-device.added': ShieldCheck,
  'trusted-device.removed': ShieldCheck,
  'api-key.created': KeySquare,
  'api-key.updated': KeySquare,
  'api-key.deleted': KeySquare,
  'api-key.expired': KeySquare,
  'user.created': UserRound,
  'user.email-changed': Mail,
  'user.email-verified': Mail,
  'email-change.requested': Mail,
  'phone-number.verified': Smartphone,
  'earlier-access.ended': UserRound,
  'user-deletion.requested': UserRound,
  'terms.accepted': FileCheck,
  'terms.postponed': FileCheck,
  'terms.declined': FileCheck,
  'user.exported': Download,
  'user.role-changed': UserRound,
  'user.banned': UserRound,
  'user.unbanned': UserRound,
  'user.locked': ShieldCheck,
  'user.unlocked': ShieldCheck,
  'two-factor.reset-requested': ShieldCheck,
  'two-factor.reset-cancelled': ShieldCheck,
  'two-factor.reset': ShieldCheck,
  'user.impersonation-started': UserRound,
  'user.impersonation-stopped': UserRound,
}

const isKnown = (action: string): action is SecurityAction => Object.hasOwn(icons, action)

function EventLine({ event }: { readonly event: SecurityEvent }) {
  const t = useMessages(messages)
  const sentence = useSentence()
  const deviceName = useDeviceName()
  const { actor, createdAt, device, ipAddress, outcome, action, count } = event
  const Icon = outcome === 'succeeded' ? (isKnown(action) ? icons[action] : UserRound) : CircleAlert
  const isRepeated = count > 1 && action !== 'sessions.revoked' && action !== 'trusted-device.removed'
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <IconTile>
        <Icon className={outcome === 'succeeded' ? 'size-4' : 'size-4 text-danger'} />
      </IconTile>
      <div className="min-w-0 grow wrap-anywhere">
        <p>
          {sentence(event)}
          {isRepeated ? <span className="whitespace-nowrap text-muted"> · {t('times', { count })}</span> : null}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 text-12 text-muted">
          {actor === 'administrator' ? <Tag>{t('byAdministrator')}</Tag> : null}
          <Time value={createdAt} style="dateTime" />
          {device === null ? null : <bdi>{deviceName(device)}</bdi>}
          {ipAddress === null ? null : <bdi className="font-mono">{ipAddress}</bdi>}
        </p>
      </div>
    </li>
  )
}

const methodWords = {
  password: 'withPassword',
  credential: 'withPassword',
  passkey: 'withPasskey',
  'email-code': 'withEmailCode',
  'phone-number': 'withPhoneCode',
  'magic-link': 'withSignInLink',
  'verification-link': 'withVerificationLink',
} as const
const factorWords = { totp: 'app', otp: 'sentCodes', passkey: 'passkey' } as const

const wordOf = <T extends string>(words: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined

/** @returns a function that says in words what happened */
function useSentence(): (event: SecurityEvent) => string {
  const t = useMessages(messages)
  const { socialProviders } = useSettings()
  const methodOf = ({ action, method }: SecurityEvent) => {
    const id = (method ?? '').replace(/^social:/, '')
    const isFactor = action.startsWith('two-factor.') && action !== 'two-factor.challenged'
    const word = isFactor ? wordOf(factorWords, id) : wordOf(methodWords, id)
    return word ? t(word) : (socialProviders.find((one) => one.id === id)?.name ?? '')
  }
  return (event) => {
    const values = { method: methodOf(event), count: event.count, reason: event.reason ?? '' }
    return t(isKnown(event.action) ? event.action : 'otherAction', values)
  }
}
