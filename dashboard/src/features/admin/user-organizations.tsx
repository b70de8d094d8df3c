/** The organizations of a user. */

import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { Avatar } from '../../components/avatar.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, Section, Time } from '../../components/layout.tsx'
import { Pending, TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { organizationsQuery } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'
import { MemberRoles } from './user-parts.tsx'

export function UserOrganizations({ user }: PartProps) {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery(organizationsQuery(user.id))
  const columns = [{ label: t('organization') }, { label: t('role') }, { label: t('joined') }]
  return (
    <Section title={t('organizations')} detail={data?.length}>
      {data === undefined ? (
        <Pending error={error} retry={refetch}>
          <TableSkeleton columns={columns} icon="square" rows={3} />
        </Pending>
      ) : data.length === 0 ? (
        <Card>
          <Placeholder icon={Building2} title={t('noOrganizations')} heading="h3">
            {t('noOrganizationsText')}
          </Placeholder>
        </Card>
      ) : (
        <Table label={t('organizations')} columns={columns}>
          {data.map(({ id, name, slug, role, joinedAt }) => (
            <Row
              key={id}
              head={
                <RowHead
                  icon={<Avatar name={name} isSquare />}
                  name={name}
                  detail={slug}
                  to={`/admin/organizations/${encodeURIComponent(id)}`}
                />
              }
            >
              <Cell label={t('role')}>
                <MemberRoles role={role} />
              </Cell>
              <Cell label={t('joined')}>
                <Time value={joinedAt} style="date" />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  )
}
