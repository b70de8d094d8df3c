/** The members of an organization, and for those who see its activity its former members. */
import { useQuery } from '@tanstack/react-query'
import { MailPlus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { ListPages, Loaded } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Filter, SearchField } from '../../components/table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useResult } from '../../components/toast.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { organizationPath, pageSize, useOrganization } from '../../session/organizations.ts'
import { memberFilter, membersQuery, useTeams } from './data.ts'
import { FormerMembers } from './former-members.tsx'
import { type MemberAction, MemberDialogs } from './member-dialogs.tsx'
import { MemberTable, useMemberColumns } from './member-table.tsx'
import { messages } from './messages.ts'
import { useRoleName } from './role-names.ts'

export function Screen() {
  const t = useMessages(messages)
  const organization = useOrganization()
  const result = useResult()
  const maySeeFormer = organization.allows('organization', 'update')
  const isFormer = useParameter('view') === 'former' && maySeeFormer
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
      {maySeeFormer ? (
        <Tabs
          label={t('members')}
          tabs={[
            { label: t('members'), count: organization.total.members, search: {}, isCurrent: !isFormer },
            { label: t('formerMembers'), search: { view: 'former' }, isCurrent: isFormer },
          ]}
        />
      ) : null}
      {isFormer ? <FormerMembers /> : <MemberList onChoose={open} />}
      <MemberDialogs action={action} onClose={() => setAction(null)} onDone={result.show} focusAfter={result.ref} />
    </>
  )
}

function MemberList({ onChoose }: { readonly onChoose: (action: MemberAction) => void }) {
  const t = useMessages(messages)
  const { id, allows } = useOrganization()
  const mayUpdate = allows('member', 'update')
  const { text, setText, searched } = useSearchText()
  const [role, teamId] = [useParameter('role'), useParameter('team')]
  const { after, page } = useListPage()
  const matching = { search: searched, role, teamId, lastSignIn: mayUpdate }
  const query = useQuery(membersQuery(id, { ...matching, after }))
  const columns = useMemberColumns()
  const filter = useFilter()
  const clear = () => {
    setText('')
    filter({ search: undefined, role: undefined, team: undefined })
  }
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label={t('searchMembers')} placeholder={t('searchMembersHint')} value={text} onSearch={setText} />
        <RoleFilter value={role} onChange={(next) => filter({ role: next })} />
        <TeamFilter value={teamId} onChange={(next) => filter({ team: next })} />
        {mayUpdate ? (
          <div className="card:ms-auto">
            <ExportButton
              source="members"
              filter={{ organizationId: id, ...memberFilter(matching) }}
              label={t('exportMembers')}
              text={t('exportText')}
            />
          </div>
        ) : null}
      </div>
      <Loaded query={query} skeleton={<TableSkeleton columns={columns} icon="circle" hasActions hasPages />}>
        {({ members, total, next }) =>
          members.length === 0 ? (
            <NoMembers isFirstPage={page === 1} onClear={clear} />
          ) : (
            <MemberTable
              members={members}
              pages={<ListPages {...{ pageSize, count: members.length, total, next }} />}
              onChoose={onChoose}
            />
          )
        }
      </Loaded>
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
