/** One organization of the instance: facts, owners, members, recent events, and its deletion. */

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { History, SearchX } from 'lucide-react'
import { useState } from 'react'
import { organizationLogo } from '../../api/pictures.ts'
import { useTabTitle } from '../../browser/tab-title.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { CopyButton, LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, Facts, Line, Lines, Section, Time } from '../../components/layout.tsx'
import { DetailSkeleton } from '../../components/skeleton.tsx'
import type { AuditEvent } from '../../events/index.ts'
import { Timeline } from '../../events/timeline.tsx'
import { AdminDetail, Breadcrumb } from '../../frame/admin-page.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { organizationMessages as messages } from './index.ts'
import { type AnyOrganization, anyOrganizationQuery, organizationEventsQuery } from './organization-data.ts'
import { DeleteOrganization } from './organization-deletion.tsx'
import { OrganizationMembers } from './organization-members.tsx'
import { userPath } from './user-menu.tsx'
import { MemberRoles } from './user-parts.tsx'

export function Screen() {
  const t = useMessages(messages)
  const { organizationId = '' }: { readonly organizationId?: string } = useParams({ strict: false })
  const link = ['/admin/organizations', t('showOrganizations')] as const
  return (
    <AdminDetail
      query={useQuery(anyOrganizationQuery(organizationId))}
      notFound={{ icon: SearchX, title: t('notFound'), children: t('notFoundText'), link }}
      skeleton={<DetailSkeleton shape="square" />}
    >
      {(organization) => <OrganizationPage key={organization.id} organization={organization} />}
    </AdminDetail>
  )
}

interface Props {
  readonly organization: AnyOrganization
}

function OrganizationPage({ organization }: Props) {
  const isPermitted = useIsPermitted()
  useTabTitle(organization.name)
  return (
    <>
      <Head organization={organization} />
      <Summary organization={organization} />
      <OrganizationMembers organization={organization} />
      {isPermitted('event', 'list') ? <RecentEvents id={organization.id} /> : null}
      {isPermitted('organization', 'delete') ? <DangerZone organization={organization} /> : null}
    </>
  )
}

function Head({ organization: { id, name, slug, logo } }: Props) {
  const t = useMessages(messages)
  return (
    <>
      <Breadcrumb to="/admin/organizations" list={t('organizations')}>
        {name}
      </Breadcrumb>
      <div className="mb-6 flex items-start gap-4">
        <Avatar name={name} picture={organizationLogo({ id, logo })} isLarge isSquare />
        <div className="min-w-0">
          <h1 className="text-20 wrap-anywhere">
            <bdi>{name}</bdi>
          </h1>
          <div className="flex flex-wrap items-center gap-x-4 text-13 text-muted">
            <span translate="no" className="wrap-anywhere">
              {slug}
            </span>
            <span className="-ms-1 min-w-0 font-mono text-12">
              <CopyButton text={id} label={t('copyId')} isVisible />
            </span>
          </div>
        </div>
      </div>
    </>
  )
}

function Summary({ organization }: Props) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { owners, createdAt, memberCount, invitationCount, teamCount } = organization
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 console:grid-cols-2 *:mt-0">
      <Section title={t('facts')}>
        <Card className="px-4 py-1">
          <Facts
            isNarrow
            facts={[
              [t('created'), <Time key="created" value={createdAt} style="dateTime" />],
              [t('members'), format.number(memberCount)],
              [t('invitations'), format.number(invitationCount)],
              [t('teams'), format.number(teamCount)],
            ]}
          />
        </Card>
      </Section>
      <Section title={t('owners')}>
        <Card>
          {owners.length === 0 ? <p className="p-4 text-13 text-muted">{t('noOwners')}</p> : null}
          <Lines>
            {owners.map(({ userId, name, email, role }) => (
              <Line
                key={userId}
                icon={<Avatar name={name} />}
                title={
                  <Link to={userPath(userId) as string} className="rounded-sm hover:underline">
                    <bdi>{name || email}</bdi>
                  </Link>
                }
                action={<MemberRoles role={role} />}
              >
                <bdi>{email}</bdi>
              </Line>
            ))}
          </Lines>
        </Card>
      </Section>
    </div>
  )
}

const linkOf = ({ id, organization }: AuditEvent) => ({
  to: '/admin/events',
  search: { organizationId: organization?.id, event: id },
})

function RecentEvents({ id }: { readonly id: string }) {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery(organizationEventsQuery(id))
  return (
    <Section
      title={t('recentEvents')}
      actions={
        <TextLink to={'/admin/events' as string} search={{ organizationId: id }}>
          {t('allEvents')}
        </TextLink>
      }
    >
      <Card className={data ? '' : 'px-4 py-2'}>
        {data === undefined ? (
          error ? (
            <LoadError heading="h3" error={error} retry={() => void refetch()} />
          ) : (
            <Skeleton />
          )
        ) : data.events.length === 0 ? (
          <Placeholder icon={History} heading="h3" title={t('noEvents')}>
            {t('noEventsText')}
          </Placeholder>
        ) : (
          <Timeline heading="h3" events={data.events} linkOf={linkOf} />
        )}
      </Card>
    </Section>
  )
}

function DangerZone({ organization }: Props) {
  const t = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  return (
    <Section isDanger title={t('dangerZone')}>
      <Card>
        <Lines>
          <Line
            title={t('deleteOrganization')}
            action={
              <Button variant="danger" onClick={() => setOpen(true)}>
                {t('deleteOrganization')}
              </Button>
            }
          >
            {t('deleteText')}
          </Line>
        </Lines>
      </Card>
      <DeleteOrganization organization={organization} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Section>
  )
}
