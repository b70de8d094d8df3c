/** The members of any organization. */

import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { userPicture } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { ErrorNote, Placeholder } from '../../components/feedback.tsx'
import { Card, Section, Time } from '../../components/layout.tsx'
import { Pages } from '../../components/list.tsx'
import { Pending, TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, SearchField, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { organizationMessages as messages } from './index.ts'
import { type AnyMembers, type AnyOrganization, anyMembersQuery, pageSize } from './organization-data.ts'
import { userPath } from './user-menu.tsx'
import { MemberRoles } from './user-parts.tsx'

export function OrganizationMembers({ organization: { id, memberCount } }: { readonly organization: AnyOrganization }) {
  const t = useMessages(messages)
  const [text, setText] = useState('')
  /** Where the pages start, from the second to this one. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const search = useDeferredValue(text.trim()) || undefined
  const { data, error, refetch } = useQuery(anyMembersQuery(id, { search, cursor: cursors.at(-1) }))
  const next = data?.next ?? null
  const columns = [{ label: t('member') }, { label: t('role') }, { label: t('joined') }]
  return (
    <Section title={t('members')} detail={memberCount}>
      {memberCount > 5 ? (
        <div className="mb-3 flex">
          <SearchField
            label={t('searchMembers')}
            placeholder={t('searchMembersHint')}
            value={text}
            onSearch={(next) => {
              setText(next)
              setCursors([])
            }}
          />
        </div>
      ) : null}
      {error && data ? <ErrorNote error={error} /> : null}
      {data === undefined ? (
        <Pending heading="h3" error={error} retry={refetch}>
          <TableSkeleton columns={columns} icon="circle" hasPages rows={Math.min(memberCount, 8)} />
        </Pending>
      ) : data.members.length === 0 ? (
        <Card>
          <Placeholder icon={Users} heading="h3" title={t('noMembers')}>
            {t(search === undefined ? 'noMembersText' : 'noMemberFoundText')}
          </Placeholder>
        </Card>
      ) : (
        <Members
          members={data.members}
          footer={
            <Pages
              page={cursors.length + 1}
              {...{ pageSize, count: data.members.length, total: data.total }}
              goBack={cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined}
              goNext={next === null ? undefined : () => setCursors([...cursors, next])}
            />
          }
        />
      )}
    </Section>
  )
}

interface MembersProps {
  readonly members: AnyMembers['members']
  readonly footer: ReactNode
}

function Members({ members, footer }: MembersProps) {
  const t = useMessages(messages)
  return (
    <Table label={t('members')} columns={[{ label: t('member') }, { label: t('role') }, { label: t('joined') }]} footer={footer}>
      {members.map(({ id: memberId, user, role, createdAt }) => (
        <Row
          key={memberId}
          head={
            <RowHead
              icon={<Avatar name={user.name} picture={userPicture(user)} />}
              name={user.name || user.email}
              detail={user.email}
              to={userPath(user.id)}
            />
          }
        >
          <Cell label={t('role')}>
            <MemberRoles role={role} />
          </Cell>
          <Cell label={t('joined')}>
            <Time value={createdAt} style="date" />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
