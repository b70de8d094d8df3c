/** The members of a page, with their roles, their teams, and for those who may update them their last sign-in. */
import { useSettings } from '../../api/calls.ts'
import { userPicture } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Tag, Time } from '../../components/layout.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useOrganization } from '../../session/organizations.ts'
import { useSession } from '../../session/session.ts'
import { type Member, useHasOneCreator, useTeams } from './data.ts'
import type { MemberAction } from './member-dialogs.tsx'
import { MemberMenu } from './member-menu.tsx'
import { messages } from './messages.ts'
import { RoleTags } from './role-parts.tsx'

interface TableProps {
  readonly members: readonly Member[]
  readonly pages: React.ReactNode
  readonly onChoose: (action: MemberAction) => void
}

export function useMemberColumns() {
  const t = useMessages(messages)
  const hasTeams = useSettings().organization?.teams ?? false
  const mayUpdate = useOrganization().allows('member', 'update')
  return [
    { label: t('member') },
    { label: t('role') },
    ...(hasTeams ? [{ label: t('teams'), isWideOnly: true }] : []),
    ...(mayUpdate ? [{ label: t('lastSignIn') }] : []),
    { label: t('joined'), isWideOnly: true },
  ]
}

export function MemberTable({ members, pages, onChoose }: TableProps) {
  const t = useMessages(messages)
  const organization = useOrganization()
  const hasTeams = useSettings().organization?.teams ?? false
  const columns = useMemberColumns()
  const hasOneCreator = useHasOneCreator(organization)
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
  const teams = useTeams(organization).filter(({ id }) => member.teamIds?.includes(id))
  const names = teams.map((team) => team.name).join(', ')
  const { name, email } = member.user
  return (
    <Row
      head={
        <RowHead
          icon={<Avatar name={name} picture={userPicture(member.user)} />}
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
        <Cell label={t('teams')} isWideOnly>
          {names ? (
            <bdi className="block truncate card:max-w-48" title={names}>
              {names}
            </bdi>
          ) : (
            <span className="text-muted">{t('noTeam')}</span>
          )}
        </Cell>
      ) : null}
      {organization.allows('member', 'update') ? (
        <Cell label={t('lastSignIn')}>
          {member.lastSignInAt ? <Time value={member.lastSignInAt} /> : <span className="text-muted">{t('neverSignedIn')}</span>}
        </Cell>
      ) : null}
      <Cell label={t('joined')} isWideOnly>
        <Time value={member.createdAt} style="date" />
      </Cell>
    </Row>
  )
}
