/** The first page of an organization: what it is, who belongs to it, and what happened last. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogOut, MailPlus } from 'lucide-react'
import { useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { organizationLogo } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button, ButtonLink, TextLink } from '../../components/button.tsx'
import { CopyButton, ErrorNote, Note } from '../../components/feedback.tsx'
import { Card, Facts, Section, Tag, Time } from '../../components/layout.tsx'
import { LinesSkeleton, Pending } from '../../components/skeleton.tsx'
import { useResult } from '../../components/toast.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { activateOrganization, organizationPath, useOrganization } from '../../session/organizations.ts'
import { useSession } from '../../session/session.ts'
import { ActivityEntries } from './activity-entries.tsx'
import { activityQuery, pendingQuery, useHasOneCreator } from './data.ts'
import { LeaveThisDialog } from './leave-dialog.tsx'
import { messages } from './messages.ts'
import { EndingInvitations, NewestMembers } from './overview-lists.tsx'
import { RoleTags } from './role-parts.tsx'

export function Screen() {
  const organization = useOrganization()
  const result = useResult()
  return (
    <>
      <Head onActive={result.show} />
      {result.note}
      <Counts />
      <div className="mt-8 grid grid-cols-1 gap-8 columns:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <About />
          {organization.allows('organization', 'update') ? <LatestActivity /> : null}
        </div>
        <div className="min-w-0">
          <NewestMembers />
          <EndingInvitations />
        </div>
      </div>
      <Leave />
    </>
  )
}

function Head({ onActive }: { readonly onActive: (text: string) => void }) {
  const t = useMessages(messages)
  const { id, name, logo, allows } = useOrganization()
  const isActive = useSession().session.activeOrganizationId === id
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => activateOrganization(id),
    onSuccess: () => onActive(t('nowActive', { name })),
  })
  return (
    <div className="mb-5 grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Avatar name={name} picture={organizationLogo({ id, logo })} isLarge isSquare />
        <div className="min-w-0 grow basis-48">
          <h1 className="text-20 wrap-anywhere">
            <bdi>{name}</bdi>
          </h1>
          {isActive ? <Tag tone="success">{t('activeOrganization')}</Tag> : null}
        </div>
        <div className="flex flex-wrap gap-2 card:ms-auto">
          {isActive ? null : (
            <Button isBusy={isPending} onClick={() => mutate()}>
              {t('makeActive')}
            </Button>
          )}
          {allows('invitation', 'create') ? (
            <ButtonLink variant="primary" to={organizationPath(id, 'invitations') as string} search={{ invite: 'yes' }}>
              <MailPlus aria-hidden className="size-4" />
              {t('inviteMembers')}
            </ButtonLink>
          ) : null}
        </div>
      </div>
      {isActive ? null : <Note>{t('notActiveText')}</Note>}
      {error ? <ErrorNote error={error} /> : null}
    </div>
  )
}

interface CountProps {
  readonly page: 'members' | 'invitations' | 'teams'
  readonly label: string
  /** Undefined while it loads. */
  readonly count: number | undefined
  /** After the number. */
  readonly detail?: string | undefined
}

function Count({ page, label, count, detail }: CountProps) {
  const { format } = useLocale()
  const { id } = useOrganization()
  return (
    <li className="min-w-0 grow basis-40">
      <Link
        to={organizationPath(id, page) as string}
        className="block rounded-card border border-border bg-surface px-4 py-3 hover:border-border-strong"
      >
        <span className="block text-13 text-muted">{label}</span>
        <span className="block min-h-8 text-24 font-semibold tabular-nums">
          {count === undefined ? '' : format.number(count)}
          {detail ? <span className="ms-1.5 text-13 font-normal text-muted">{detail}</span> : null}
        </span>
      </Link>
    </li>
  )
}

function Counts() {
  const t = useMessages(messages)
  const { id, total } = useOrganization()
  const { format } = useLocale()
  const { teams: hasTeams = false, membershipLimit: limit = null } = useSettings().organization ?? {}
  const seats = limit === null ? undefined : t('seats', { limit: format.number(limit) })
  const { data: pending } = useQuery(pendingQuery(id))
  return (
    <ul aria-label={t('numbers')} className="flex flex-wrap gap-3">
      <Count page="members" label={t('members')} count={total.members} detail={seats} />
      <Count page="invitations" label={t('pendingInvitations')} count={pending} />
      {hasTeams ? <Count page="teams" label={t('teams')} count={total.teams} /> : null}
    </ul>
  )
}

function About() {
  const t = useMessages(messages)
  const { id, slug, role, createdAt } = useOrganization()
  const copied = (text: string, label: string) => (
    <span className="-ms-1 font-mono text-12">
      <CopyButton text={text} label={label} isVisible />
    </span>
  )
  return (
    <Section title={t('about')}>
      <Card className="px-4 pt-1 pb-2 card:px-5">
        <Facts
          facts={[
            [t('yourRole'), <RoleTags key="role" role={role} />],
            [t('created'), <Time key="created" value={createdAt} style="date" />],
            [t('slug'), copied(slug, t('copySlug'))],
            [t('organizationId'), copied(id, t('copyId'))],
          ]}
        />
      </Card>
    </Section>
  )
}

function LatestActivity() {
  const t = useMessages(messages)
  const { id } = useOrganization()
  const { data, error, refetch } = useQuery(activityQuery(id, { limit: 5 }))
  return (
    <Section
      title={t('latestActivity')}
      actions={<TextLink to={organizationPath(id, 'activity') as string}>{t('allActivity')}</TextLink>}
    >
      {data ? (
        <Card>
          <ActivityEntries activities={data.events} />
        </Card>
      ) : (
        <Pending error={error} retry={refetch} heading="h3">
          <LinesSkeleton count={5} />
        </Pending>
      )}
    </Section>
  )
}

/** Here for members without permission for the settings. */
function Leave() {
  const t = useMessages(messages)
  const organization = useOrganization()
  const [isOpen, setOpen] = useState(false)
  const hasOneCreator = useHasOneCreator(organization)
  if (organization.allows('organization', 'update') || organization.allows('organization', 'delete')) return null
  const isLast = organization.isCreator && hasOneCreator
  return (
    <Section
      title={t('leaveOrganization')}
      description={isLast ? t('lastOwnerText') : t('leaveText')}
      isDanger
      actions={
        <Button variant="danger" disabled={isLast} onClick={() => setOpen(true)}>
          <LogOut aria-hidden className="size-4" />
          {t('leaveOrganization')}
        </Button>
      }
    >
      <LeaveThisDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Section>
  )
}
