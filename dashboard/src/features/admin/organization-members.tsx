/** The members of any organization. */
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { ErrorNote, LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Avatar, Card, Section, Tag, Time } from '../../components/layout.tsx'
import { Cell, Pages, Row, RowHead, SearchField, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { roleNames } from './data.ts'
import { organizationMessages as messages } from './index.ts'
import { type AnyOrganization, anyMembersQuery, pageSize } from './organization-data.ts'
import { userPath } from './user-menu.tsx'

export function OrganizationMembers({ organization: { id, memberCount } }: { readonly organization: AnyOrganization }) {
  const t = useMessages(messages)
  const [text, setText] = useState('')
  /** Where the pages start, from the second to this one. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const search = useDeferredValue(text.trim()) || undefined
  const { data, error, refetch } = useQuery(anyMembersQuery(id, { search, cursor: cursors.at(-1) }))
  const next = data?.next ?? null
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
        <Card className="px-4 py-2">
          {error ? <LoadError heading="h3" error={error} retry={() => void refetch()} /> : <Skeleton />}
        </Card>
      ) : data.members.length === 0 ? (
        <Card>
          <Placeholder icon={Users} heading="h3" title={t('noMembers')}>
            {t(search === undefined ? 'noMembersText' : 'noMemberFoundText')}
          </Placeholder>
        </Card>
      ) : (
        <Table
          label={t('members')}
          columns={[{ label: t('member') }, { label: t('role') }, { label: t('joined') }]}
          footer={
            <Pages
              page={cursors.length + 1}
              {...{ pageSize, count: data.members.length, total: data.total }}
              goBack={cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined}
              goNext={next === null ? undefined : () => setCursors([...cursors, next])}
            />
          }
        >
          {data.members.map(({ id: memberId, user, role, createdAt }) => (
            <Row
              key={memberId}
              head={
                <RowHead
                  icon={<Avatar name={user.name} />}
                  name={user.name || user.email}
                  detail={user.email}
                  to={userPath(user.id)}
                />
              }
            >
              <Cell label={t('role')}>
                <span translate="no" className="inline-flex flex-wrap gap-1">
                  {roleNames(role).map((one) => (
                    <Tag key={one}>{one}</Tag>
                  ))}
                </span>
              </Cell>
              <Cell label={t('joined')}>
                <Time value={createdAt} style="date" />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  )
}
