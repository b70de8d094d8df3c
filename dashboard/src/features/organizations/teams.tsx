/** The teams of an organization: create, rename and remove them, and who is in them. */

import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Layers, Pencil, Plus, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '../../components/avatar.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead, Tag, Time } from '../../components/layout.tsx'
import { Pages } from '../../components/list.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { Pending, TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFilter } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { organizationPath, useOrganization } from '../../session/organizations.ts'
import { useSession } from '../../session/session.ts'
import { membersQuery, type Team, teamsQuery } from './data.ts'
import { messages } from './messages.ts'
import { type TeamAction, TeamDialogs } from './team-dialogs.tsx'

const teamsOnPage = 20

export function Screen() {
  const t = useMessages(messages)
  const { id, name, allows } = useOrganization()
  const result = useResult()
  const { data, error, refetch } = useQuery(teamsQuery(id))
  const [action, setAction] = useState<TeamAction | null>(null)
  const open = (next: TeamAction) => {
    result.clear()
    setAction(next)
  }
  const columns = useTeamColumns()
  const create = allows('team', 'create') ? (
    <Button variant="primary" onClick={() => open({ kind: 'creation' })}>
      <Plus aria-hidden className="size-4" />
      {t('createTeam')}
    </Button>
  ) : null
  return (
    <>
      <PageHead title={t('teams')} actions={create}>
        {t('teamsLead', { name })}
      </PageHead>
      {result.note}
      {data ? (
        <TeamList teams={data} onChoose={open} />
      ) : (
        <Pending error={error} retry={refetch}>
          <TableSkeleton columns={columns} icon="square" hasDetail={false} hasActions hasPages />
        </Pending>
      )}
      <TeamDialogs action={action} onClose={() => setAction(null)} onDone={result.show} focusAfter={result.ref} />
    </>
  )
}

function useTeamColumns() {
  const t = useMessages(messages)
  return [{ label: t('team') }, { label: t('members') }, { label: t('created') }]
}

interface ListProps {
  readonly teams: readonly Team[]
  readonly onChoose: (action: TeamAction) => void
}

function TeamList({ teams, onChoose }: ListProps) {
  const t = useMessages(messages)
  const filter = useFilter()
  const pageCount = Math.max(1, Math.ceil(teams.length / teamsOnPage))
  const page = Math.min(Math.max(1, Math.trunc(Number(useParameter('page'))) || 1), pageCount)
  const shown = teams.slice((page - 1) * teamsOnPage, page * teamsOnPage)
  const goTo = (next: number) => filter({ page: next === 1 ? undefined : String(next) })
  const own = useOwnTeams()
  const columns = useTeamColumns()
  if (teams.length === 0) return <NoTeams onCreate={() => onChoose({ kind: 'creation' })} />
  return (
    <Table
      label={t('teams')}
      columns={columns}
      hasActions
      footer={
        <Pages
          {...{ page, pageSize: teamsOnPage, count: shown.length, total: teams.length }}
          goBack={page > 1 ? () => goTo(page - 1) : undefined}
          goNext={page < pageCount ? () => goTo(page + 1) : undefined}
        />
      }
    >
      {shown.map((team) => (
        <TeamRow
          key={team.id}
          {...{ team, onChoose }}
          isOwn={own.includes(team.id)}
          isOnly={own.length === 1}
          isLast={teams.length === 1}
        />
      ))}
    </Table>
  )
}

/** The IDs of the teams of the current user. */
function useOwnTeams(): readonly string[] {
  const { id } = useOrganization()
  const { data } = useQuery(membersQuery(id, { search: useSession().user.id, limit: 1 }))
  return data?.members[0]?.teamIds ?? []
}

function NoTeams({ onCreate }: { readonly onCreate: () => void }) {
  const t = useMessages(messages)
  const { allows } = useOrganization()
  return (
    <Card>
      <Placeholder
        icon={Layers}
        title={t('noTeams')}
        actions={allows('team', 'create') ? <Button onClick={onCreate}>{t('createTeam')}</Button> : null}
      >
        {t('noTeamsText')}
      </Placeholder>
    </Card>
  )
}

interface RowProps {
  readonly team: Team
  readonly isOwn: boolean
  /** Whether the current user is in one team only. */
  readonly isOnly: boolean
  /** Whether it is the only team. */
  readonly isLast: boolean
  readonly onChoose: (action: TeamAction) => void
}

function TeamRow({ team, isOwn, isOnly, isLast, onChoose }: RowProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { id } = useOrganization()
  return (
    <Row
      head={
        <RowHead icon={<Avatar name={team.name} isSquare />} name={team.name} tag={isOwn ? <Tag>{t('yourTeam')}</Tag> : null} />
      }
      action={<TeamMenu {...{ team, isOwn, isOnly, isLast, onChoose }} />}
    >
      <Cell label={t('members')}>
        <TextLink to={organizationPath(id, 'members') as string} search={{ team: team.id }}>
          <span className="sr-only">{t('showMembersOf', { role: team.name })} </span>
          {format.number(team.memberCount ?? 0)}
        </TextLink>
      </Cell>
      <Cell label={t('created')}>
        <Time value={team.createdAt} style="date" />
      </Cell>
    </Row>
  )
}

function TeamMenu({ team, isOwn, isOnly, isLast, onChoose }: Omit<RowProps, 'count'>) {
  const t = useMessages(messages)
  const { allows } = useOrganization()
  const mayFill = allows('member', 'update') || allows('team', 'update')
  const reason = isOwn && isOnly ? t('ownTeamStays') : isLast ? t('lastTeam') : undefined
  if (!mayFill && !allows('team', 'delete')) return null
  return (
    <Menu
      trigger={
        <Button variant="ghost" isIcon aria-label={t('actionsFor', { name: team.name })}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      {mayFill ? (
        <MenuItem onSelect={() => onChoose({ kind: 'members', team })}>
          <Users aria-hidden className="size-4 text-muted" />
          {t('editTeamMembers')}
        </MenuItem>
      ) : null}
      {allows('team', 'update') ? (
        <MenuItem onSelect={() => onChoose({ kind: 'name', team })}>
          <Pencil aria-hidden className="size-4 text-muted" />
          {t('renameTeam')}
        </MenuItem>
      ) : null}
      {allows('team', 'delete') ? (
        <>
          <MenuSeparator />
          <MenuItem isDanger onSelect={() => onChoose({ kind: 'removal', team })} disabledReason={reason}>
            <Trash2 aria-hidden className="size-4" />
            {t('removeTeam')}
          </MenuItem>
        </>
      ) : null}
    </Menu>
  )
}
