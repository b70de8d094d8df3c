/** The second factors of a user, as administrators see and reset them, and the explanation of a sign-in. */
import { useQuery } from '@tanstack/react-query'
import { Fingerprint, KeyRound, KeySquare, type LucideIcon, Mail, MessageSquareText, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, TextLink } from '../../components/button.tsx'
import { Note, Placeholder } from '../../components/feedback.tsx'
import { Card, IconTile, Line, Lines, Section, Tag, Time } from '../../components/layout.tsx'
import { LinesSkeleton, Pending } from '../../components/skeleton.tsx'
import { RecentEvents } from '../../events/timeline.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { useSession } from '../../session/session.ts'
import type { PartProps } from './user.tsx'
import { useDisplayName } from './user-parts.tsx'
import { factorsQuery, failuresQuery, messages, type UserFactors } from './user-security-data.ts'
import { ExplanationDialog } from './user-security-explanation.tsx'
import { ResetDialog } from './user-security-reset.tsx'
import { factorWord } from './user-security-words.ts'

export function UserSecurity({ user, onDone, focusAfter }: PartProps) {
  const t = useMessages(messages)
  const isPermitted = useIsPermitted()
  const name = useDisplayName()(user)
  const isOwn = useSession().user.id === user.id
  const { data, error, refetch } = useQuery(factorsQuery(user.id))
  const [open, setOpen] = useState<'explanation' | 'reset' | null>(null)
  const close = () => setOpen(null)
  const mayReset = isPermitted('user', 'reset-two-factor') && !isOwn && data?.enabled
  return (
    <>
      <Section
        title={t('secondFactors')}
        actions={
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('explanation')}>{t('explain')}</Button>
            {mayReset ? (
              <Button variant="danger" onClick={() => setOpen('reset')}>
                {t('reset')}
              </Button>
            ) : null}
          </div>
        }
      >
        {data ? (
          <Factors factors={data} />
        ) : (
          <Pending error={error} retry={() => void refetch()}>
            <LinesSkeleton count={2} />
          </Pending>
        )}
      </Section>
      {data ? <Passkeys passkeys={data.passkeys} /> : null}
      {data ? <TrustedBrowsers browsers={data.trustedDevices} /> : null}
      {isPermitted('event', 'list') ? <Failures userId={user.id} /> : null}
      <ExplanationDialog userId={user.id} name={name} isOpen={open === 'explanation'} onClose={close} />
      {data && mayReset ? (
        <ResetDialog {...{ user, name, onDone, focusAfter, factors: data }} isOpen={open === 'reset'} onClose={close} />
      ) : null}
    </>
  )
}

const icons: Readonly<Record<string, LucideIcon>> = {
  passkey: Fingerprint,
  totp: Smartphone,
  sms: MessageSquareText,
  email: Mail,
}

const Icon = ({ of: Shown }: { readonly of: LucideIcon }) => (
  <IconTile>
    <Shown className="size-4" />
  </IconTile>
)

function Factors({ factors }: { readonly factors: UserFactors }) {
  const t = useMessages(messages)
  const { methods, backupCodesLeft, enabled } = factors
  return (
    <>
      <Waiting factors={factors} />
      <Card>
        {enabled ? (
          <Lines>
            {methods.map((method) => (
              <Line
                key={`${method.type}:${method.channel}`}
                icon={<Icon of={icons[method.channel ?? method.type] ?? KeySquare} />}
                title={factorWord(t, method)}
              >
                {method.to === undefined ? null : <bdi className="block">{t('sentTo', { to: method.to })}</bdi>}
                <Times createdAt={method.createdAt} lastUsedAt={method.lastUsedAt} />
              </Line>
            ))}
            <Line icon={<Icon of={KeySquare} />} title={t('backupCodes')}>
              {t('codesLeft', { count: backupCodesLeft })}
            </Line>
          </Lines>
        ) : (
          <Placeholder icon={KeyRound} title={t('noFactors')} heading="h3">
            {t('noFactorsText')}
          </Placeholder>
        )}
      </Card>
    </>
  )
}

/** What a rule demands, and a reset that is not done yet. */
function Waiting({ factors: { required, pendingReset } }: { readonly factors: UserFactors }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const due = required?.dueAt ? format.dateTime(new Date(required.dueAt)) : ''
  if (!required && !pendingReset) return null
  return (
    <div className="mb-3 grid gap-3">
      {required ? (
        <Note tone={due === '' ? 'info' : 'warning'}>
          {required.by === 'moved' ? t('requiredByMove', { date: due }) : t('requiredBy', { rule: required.by, date: due })}
        </Note>
      ) : null}
      {pendingReset ? (
        <Note tone="warning">{t('resetWaits', { date: format.dateTime(new Date(pendingReset.effectiveAt)) })}</Note>
      ) : null}
    </div>
  )
}

interface TimesProps {
  readonly createdAt: string | null
  readonly lastUsedAt: string | null
  readonly children?: ReactNode
}

function Times({ createdAt, lastUsedAt, children }: TimesProps) {
  const t = useMessages(messages)
  return (
    <>
      {createdAt === null ? null : (
        <>
          {t('added')} <Time value={createdAt} style="date" /> ·{' '}
        </>
      )}
      {lastUsedAt === null ? (
        t('neverUsed')
      ) : (
        <>
          {t('lastUsed')} <Time value={lastUsedAt} />
        </>
      )}
      {children}
    </>
  )
}

function Passkeys({ passkeys }: { readonly passkeys: UserFactors['passkeys'] }) {
  const t = useMessages(messages)
  return (
    <Section title={t('passkeys')} detail={passkeys.length}>
      {passkeys.length === 0 ? (
        <Card className="px-4 py-3.5 text-13 text-muted">{t('noPasskeys')}</Card>
      ) : (
        <Card>
          <Lines>
            {passkeys.map(({ id, name, provider, createdAt, lastUsedAt, suspendedAt }) => (
              <Line
                key={id}
                icon={<Icon of={Fingerprint} />}
                title={
                  <span className="flex flex-wrap gap-2">
                    <bdi>{name ?? provider ?? t('unnamedPasskey')}</bdi>
                    {suspendedAt === null ? null : <Tag tone="danger">{t('suspended')}</Tag>}
                  </span>
                }
              >
                {provider !== null && name !== null ? <span className="block">{provider}</span> : null}
                <Times {...{ createdAt, lastUsedAt }} />
              </Line>
            ))}
          </Lines>
        </Card>
      )}
    </Section>
  )
}

function TrustedBrowsers({ browsers }: { readonly browsers: UserFactors['trustedDevices'] }) {
  const t = useMessages(messages)
  return (
    <Section title={t('trustedBrowsers')} detail={browsers.length}>
      {browsers.length === 0 ? (
        <Card className="px-4 py-3.5 text-13 text-muted">{t('noBrowsers')}</Card>
      ) : (
        <Card>
          <Lines>
            {browsers.map(({ id, name, createdAt, lastUsedAt, expiresAt }) => (
              <Line key={id} title={<bdi>{name ?? t('unknownBrowser')}</bdi>}>
                <Times {...{ createdAt, lastUsedAt }}>
                  {' '}
                  · {t('trustedUntil')} <Time value={expiresAt} style="date" />
                </Times>
              </Line>
            ))}
          </Lines>
        </Card>
      )}
    </Section>
  )
}

/** The newest wrong codes, and the way to all of them. */
function Failures({ userId }: { readonly userId: string }) {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery(failuresQuery(userId))
  const search = { userId, action: 'two-factor.failed' }
  return (
    <Section
      title={t('failures')}
      actions={
        <TextLink to={'/admin/events' as string} search={search}>
          {t('allFailures')}
        </TextLink>
      }
    >
      {data === undefined ? (
        <Pending error={error} retry={() => void refetch()}>
          <LinesSkeleton count={2} />
        </Pending>
      ) : (
        <Card className="px-4 py-3.5 text-13">
          {data.events.length === 0 ? (
            <p className="text-muted">{t('noFailures')}</p>
          ) : (
            <RecentEvents events={data.events} linkOf={({ id }) => ({ to: '/admin/events', search: { ...search, event: id } })} />
          )}
        </Card>
      )}
    </Section>
  )
}
