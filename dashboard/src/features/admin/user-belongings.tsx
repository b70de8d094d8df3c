/** What belongs to a user, on the overview: the newest sessions, and organizations. Their tabs have all of them. */
import { useQuery } from '@tanstack/react-query'
import { describeDevice } from '../../../../src/lib/device.ts'
import { listedNames } from '../../../../src/lib/text.ts'
import { useSettings } from '../../api/calls.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { DeviceIcon, useDeviceText } from '../../components/device.tsx'
import { Card, Line, Lines, Section, Tag, Time } from '../../components/layout.tsx'
import { LinesSkeleton, Pending } from '../../components/skeleton.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { organizationsQuery, type UserSession } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'
import { SessionsSection, SessionTag } from './user-sessions.tsx'

const mostShown = 3

export function NewestSessions(props: PartProps) {
  return useIsPermitted()('session', 'list') ? <Sessions {...props} /> : null
}

function Sessions(props: PartProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const part = (count: number) => ({ shown: format.number(mostShown), all: format.number(count) })
  return (
    <SessionsSection
      {...props}
      detail={(count) => (count > mostShown ? t('someOf', part(count)) : count)}
      skeleton={() => <LinesSkeleton />}
    >
      {(sessions, onRevoke) => (
        <Card>
          {sessions.length === 0 ? <p className="px-4 py-3.5 text-13 text-muted">{t('noSessionsText')}</p> : null}
          <Lines>
            {sessions.slice(0, mostShown).map((session) => (
              <SessionLine key={session.id} session={session} onRevoke={onRevoke} />
            ))}
          </Lines>
          <ShowAll tab="sessions" count={sessions.length} label={t('allSessions', part(sessions.length))} />
        </Card>
      )}
    </SessionsSection>
  )
}

interface LineProps {
  readonly session: UserSession
  /** Undefined: not permitted. */
  readonly onRevoke: ((session: UserSession) => void) | undefined
}

function SessionLine({ session, onRevoke }: LineProps) {
  const t = useMessages(messages)
  const device = describeDevice(session.userAgent)
  const { name, detail } = useDeviceText()(device)
  return (
    <Line
      icon={<DeviceIcon kind={device.kind} />}
      title={
        <span className="inline-flex flex-wrap items-center gap-x-1.5">
          {name} <SessionTag session={session} />
        </span>
      }
      action={
        onRevoke ? (
          <Button onClick={() => onRevoke(session)} aria-label={t('revokeNamed', { device: name })}>
            {t('revoke')}
          </Button>
        ) : undefined
      }
    >
      <span className="flex flex-wrap gap-x-3">
        <span>{detail}</span>
        {session.ipAddress ? <bdi className="font-mono text-12 leading-5">{session.ipAddress}</bdi> : null}
        <Time value={session.updatedAt} />
      </span>
    </Line>
  )
}

export function FirstOrganizations(props: Pick<PartProps, 'user'>) {
  return useSettings().organization ? <Organizations {...props} /> : null
}

function Organizations({ user }: Pick<PartProps, 'user'>) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { data, error, refetch } = useQuery(organizationsQuery(user.id))
  const count = data?.length ?? 0
  return (
    <Section title={t('organizations')} detail={data?.length}>
      {data ? (
        <Card>
          {count === 0 ? <p className="px-4 py-3.5 text-13 text-muted">{t('noOrganizationsText')}</p> : null}
          <Lines>
            {data.slice(0, mostShown).map(({ id, name, slug, role }) => (
              <Line
                key={id}
                icon={<Avatar name={name} isSquare />}
                title={
                  <TextLink to={`/admin/organizations/${encodeURIComponent(id)}` as string}>
                    <bdi>{name}</bdi>
                  </TextLink>
                }
                action={
                  <span translate="no" className="inline-flex flex-wrap gap-1">
                    {listedNames(role).map((one) => (
                      <Tag key={one}>{one}</Tag>
                    ))}
                  </span>
                }
              >
                {slug}
              </Line>
            ))}
          </Lines>
          <ShowAll tab="organizations" count={count} label={t('allOrganizations', { all: format.number(count) })} />
        </Card>
      ) : (
        <Pending heading="h3" error={error} retry={refetch}>
          <LinesSkeleton count={2} />
        </Pending>
      )}
    </Section>
  )
}

interface ShowAllProps {
  readonly tab: 'sessions' | 'organizations'
  readonly count: number
  readonly label: string
}

/** Below the list, when it has more than is shown. */
const ShowAll = ({ tab, count, label }: ShowAllProps) =>
  count > mostShown ? (
    <p className="border-t border-border px-4 py-3 text-13">
      <TextLink to="." search={{ tab }}>
        {label}
      </TextLink>
    </p>
  ) : null
