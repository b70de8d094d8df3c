/** The organizations of a user. */
import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Avatar, Card, Section, Tag, Time } from '../../components/layout.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { organizationsQuery, roleNames } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'

export function UserOrganizations({ user }: PartProps) {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery(organizationsQuery(user.id))
  return (
    <Section title={t('organizations')} detail={data?.length}>
      {data === undefined ? (
        <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
      ) : data.length === 0 ? (
        <Card>
          <Placeholder icon={Building2} title={t('noOrganizations')} heading="h3">
            {t('noOrganizationsText')}
          </Placeholder>
        </Card>
      ) : (
        <Table label={t('organizations')} columns={[{ label: t('organization') }, { label: t('role') }, { label: t('joined') }]}>
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
                <span translate="no" className="inline-flex flex-wrap gap-1">
                  {roleNames(role).map((one) => (
                    <Tag key={one}>{one}</Tag>
                  ))}
                </span>
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
