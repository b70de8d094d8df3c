/** The members of an organization: search, filters, and what the current user may change. */
import { useQuery } from '@tanstack/react-query'
import { MailPlus, SearchX, UserRound } from 'lucide-react'
import { useState } from 'react'
import { useSettings } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { ErrorNote, LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Avatar, Card, PageHead, Tag, Time } from '../../components/layout.tsx'
import { Cell, Filter, Pages, Row, RowHead, SearchField, Table } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../list-state.ts'
import { organizationPath, pageSize, useOrganization } from '../../organizations.ts'
import { useParameter } from '../../router-hooks.ts'
import { useSession } from '../../session.ts'
import { type Member, membersQuery, useHasOneCreator, useTeams } from './data.ts'
import { messages } from './index.ts'
import { type MemberAction, MemberDialogs } from './member-dialogs.tsx'
import { MemberMenu } from './member-menu.tsx'
import { RoleTags, useRoleName } from './role-parts.tsx'

export function Screen() {
  const t = useMessages(messages)
  const organization = useOrganization()
  const result = useResult()
  const [action, setAction] = useState<MemberAction | null>(null)
  const open = (next: MemberAction) => {
    result.clear()
    setAction(next)
  }
  return (
    <>
      <PageHead
        title={t('members')}
        actions={
          organization.allows('invitation', 'create') ? (
            <ButtonLink
              to={organizationPath(organization.id, 'invitations') as string}
              search={{ invite: 'yes' }}
              variant="primary"
            >
              <MailPlus aria-hidden className="size-4" />
              {t('inviteMembers')}
            </ButtonLink>
          ) : null
        }
      >
        {t('membersLead', { name: organization.name })}
      </PageHead>
      {result.note}
      <MemberList onChoose={open} />
      <MemberDialogs action={action} onClose={() => setAction(null)} onDone={result.show} focusAfter={result.ref} />
    </>
  )
}

function MemberList({ onChoose }: { readonly onChoose: (action: MemberAction) => void }) {
  const t = useMessages(messages)
  const { id } = useOrganization()
  const { text, setText, searched } = useSearchText()
  const [role, teamId] = [useParameter('role'), useParameter('team')]
  const { after, page, goToNext, goBack } = useListPage()
  const { data, error, refetch, isPlaceholderData } = useQuery(membersQuery(id, { search: searched, role, teamId, after }))
  const filter = useFilter()
  const clear = () => {
    setText('')
    filter({ search: undefined, role: undefined, team: undefined })
  }
  const pages = data && (
    <Pages
      {...{ page, pageSize, goBack, total: data.total, count: data.members.length }}
      goNext={data.next === null ? undefined : () => goToNext(data.next ?? '')}
    />
  )
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label={t('searchMembers')} placeholder={t('searchMembersHint')} value={text} onSearch={setText} />
        <RoleFilter value={role} onChange={(next) => filter({ role: next })} />
        <TeamFilter value={teamId} onChange={(next) => filter({ team: next })} />
      </div>
      {error && data ? <ErrorNote error={error} /> : null}
      {data ? (
        <div aria-busy={isPlaceholderData || undefined} className={isPlaceholderData ? 'opacity-60' : undefined}>
          {data.members.length === 0 ? (
            <NoMembers isFirstPage={page === 1} onClear={clear} />
          ) : (
            <MemberTable members={data.members} pages={pages} onChoose={onChoose} />
          )}
        </div>
      ) : (
        <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
      )}
    </>
  )
}

interface FilterProps {
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

function RoleFilter({ value = '', onChange }: FilterProps) {
  const t = useMessages(messages)
  const name = useRoleName()
  const { roles } = useOrganization()
  const options = [{ value: '', label: t('anyRole') }, ...roles.map(({ role }) => ({ value: role, label: name(role) }))]
  return <Filter label={t('role')} value={value} options={options} onChange={(next) => onChange(next || undefined)} />
}

function TeamFilter({ value = '', onChange }: FilterProps) {
  const t = useMessages(messages)
  const teams = useTeams(useOrganization())
  if (teams.length === 0) return null
  const options = [{ value: '', label: t('anyTeam') }, ...teams.map(({ id, name }) => ({ value: id, label: name }))]
  return <Filter label={t('team')} value={value} options={options} onChange={(next) => onChange(next || undefined)} />
}

/** A page beyond the last one is empty when members have left. */
function NoMembers({ isFirstPage, onClear }: { readonly isFirstPage: boolean; readonly onClear: () => void }) {
  const t = useMessages(messages)
  return (
    <Card>
      <Placeholder
        icon={SearchX}
        title={isFirstPage ? t('noMemberFound') : t('noMoreMembers')}
        actions={<Button onClick={onClear}>{isFirstPage ? t('clearFilters') : t('showFirstPage')}</Button>}
      >
        {isFirstPage ? t('noMemberFoundText') : t('noMoreMembersText')}
      </Placeholder>
    </Card>
  )
}

interface TableProps {
  readonly members: readonly Member[]
  readonly pages: React.ReactNode
  readonly onChoose: (action: MemberAction) => void
}

function MemberTable({ members, pages, onChoose }: TableProps) {
  const t = useMessages(messages)
  const organization = useOrganization()
  const hasTeams = useSettings().organization?.teams ?? false
  const hasOneCreator = useHasOneCreator(organization)
  const columns = [
    { label: t('member') },
    { label: t('role') },
    ...(hasTeams ? [{ label: t('team'), isWideOnly: true }] : []),
    { label: t('joined'), isWideOnly: true },
  ]
  return (
    <Table label={t('members')} columns={columns} hasActions footer={pages}>
      {members.map((member) => (
        <MemberRow key={member.id} {...{ member, hasTeams, hasOneCreator, onChoose }} />
      ))}
    </Table>
  )
}

interface RowProps {
  readonly member: Member
  readonly hasTeams: boolean
  readonly hasOneCreator: boolean
  readonly onChoose: (action: MemberAction) => void
}

function MemberRow({ member, hasTeams, hasOneCreator, onChoose }: RowProps) {
  const t = useMessages(messages)
  const organization = useOrganization()
  const own = useSession().user.id === member.userId
  const team = useTeams(organization).find(({ id }) => id === member.teamId)
  const { name, email } = member.user
  return (
    <Row
      head={
        <RowHead
          icon={name.trim() ? <Avatar name={name} /> : <UserRound aria-hidden className="size-7 p-1 text-muted" />}
          name={name}
          tag={own ? <Tag>{t('you')}</Tag> : null}
          detail={email}
        />
      }
      action={<MemberMenu {...{ member, hasOneCreator, onChoose }} />}
    >
      <Cell label={t('role')} isWrapping>
        <RoleTags role={member.role} />
      </Cell>
      {hasTeams ? (
        <Cell label={t('team')} isWideOnly>
          {team ? (
            <bdi className="block truncate card:max-w-48" title={team.name}>
              {team.name}
            </bdi>
          ) : (
            <span className="text-muted">{t('noTeam')}</span>
          )}
        </Cell>
      ) : null}
      <Cell label={t('joined')} isWideOnly>
        <Time value={member.createdAt} style="date" />
      </Cell>
    </Row>
  )
}
