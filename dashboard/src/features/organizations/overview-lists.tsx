/** Lists at the side of the first page of an organization: who joined last, and which invitations expire next. */
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { userPicture } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { TextLink } from '../../components/button.tsx'
import { Card, IconTile, Line, Lines, Section, Time } from '../../components/layout.tsx'
import { LinesSkeleton, Pending } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { organizationPath, useOrganization } from '../../session/organizations.ts'
import { newestMembersQuery } from './data.ts'
import { endingQuery } from './invitation-data.ts'
import { messages } from './messages.ts'
import { useRoleList } from './role-names.ts'

const most = { members: 5, invitations: 3 }

export function NewestMembers() {
  const t = useMessages(messages)
  const roleList = useRoleList()
  const { id } = useOrganization()
  const { data, error, refetch } = useQuery(newestMembersQuery(id, most.members))
  return (
    <Section
      title={t('newestMembers')}
      actions={<TextLink to={organizationPath(id, 'members') as string}>{t('allMembers')}</TextLink>}
    >
      {data ? (
        <Card>
          <Lines>
            {data.members.map(({ id: key, user, role, createdAt }) => (
              <Line key={key} icon={<Avatar name={user.name} picture={userPicture(user)} />} title={<bdi>{user.name}</bdi>}>
                {roleList(role)} · <Time value={createdAt} />
              </Line>
            ))}
          </Lines>
        </Card>
      ) : (
        <Pending error={error} retry={refetch} heading="h3">
          <LinesSkeleton count={most.members} />
        </Pending>
      )}
    </Section>
  )
}

/** Nothing without pending invitations: most organizations have none. */
export function EndingInvitations() {
  const t = useMessages(messages)
  const roleList = useRoleList()
  const { id } = useOrganization()
  const { data: invitations = [] } = useQuery(endingQuery(id, most.invitations))
  if (invitations.length === 0) return null
  return (
    <Section
      title={t('endingInvitations')}
      actions={<TextLink to={organizationPath(id, 'invitations') as string}>{t('allInvitations')}</TextLink>}
    >
      <Card>
        <Lines>
          {invitations.map(({ id: key, email, role, expiresAt }) => (
            <Line
              key={key}
              icon={
                <IconTile>
                  <Mail className="size-4" />
                </IconTile>
              }
              title={<bdi>{email}</bdi>}
            >
              {roleList(role)} · <Time value={expiresAt} />
            </Line>
          ))}
        </Lines>
      </Card>
    </Section>
  )
}
