/** The organizations of the current user, and the invitations that wait for them. */
import { useQuery } from '@tanstack/react-query'
import { Building2, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { organizationLogo } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { ReadOnlyNote } from '../../components/blocked.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead, Section, Time } from '../../components/layout.tsx'
import { ListPages, Loaded } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, SearchField, Table } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../routes/list-state.ts'
import { type Membership, membershipsQuery, organizationPath, pageSize } from '../../session/organizations.ts'
import { messages } from './invitation-messages.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { OwnInvitations } from './own-invitations.tsx'
import { RoleTags } from './role-parts.tsx'

export function Screen() {
  const t = useMessages(messages)
  const { organization } = useSettings()
  const result = useResult()
  const [leaving, setLeaving] = useState<Membership | null>(null)
  const [isOpen, setOpen] = useState(false)
  const leave = (membership: Membership) => {
    result.clear()
    setLeaving(membership)
    setOpen(true)
  }
  return (
    <>
      <PageHead
        title={t('organizations')}
        actions={
          organization?.canCreate ? (
            <ButtonLink to="/organizations/create" variant="primary">
              {t('createOrganization')}
            </ButtonLink>
          ) : null
        }
      >
        {t('organizationsLead')}
      </PageHead>
      <ReadOnlyNote />
      {result.note}
      <OwnInvitations onStart={result.clear} onDone={result.show} focusAfter={result.ref} />
      <Section title={t('yourOrganizations')}>
        <Memberships onLeave={leave} />
      </Section>
      {leaving ? (
        <LeaveDialog
          key={leaving.organization.id}
          organization={leaving.organization}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          onLeft={result.show}
          focusAfter={result.ref}
        />
      ) : null}
    </>
  )
}

interface ListProps {
  readonly onLeave: (membership: Membership) => void
}

/** With a search once there are more than fit on a page. */
function Memberships({ onLeave }: ListProps) {
  const t = useMessages(messages)
  const { text, setText, searched } = useSearchText()
  const { after } = useListPage()
  const query = useQuery({
    ...membershipsQuery({ search: searched, after }),
    placeholderData: (former) => former,
  })
  const columns = useMembershipColumns()
  const filter = useFilter()
  const isFiltered = searched !== undefined || after !== undefined
  const clear = () => {
    setText('')
    filter({ search: undefined })
  }
  const { data } = query
  return (
    <>
      {data && (isFiltered || data.hasMore) ? (
        <div className="mb-3 flex">
          <SearchField label={t('searchOrganizations')} placeholder={t('nameOrSlug')} value={text} onSearch={setText} />
        </div>
      ) : null}
      <Loaded query={query} skeleton={<TableSkeleton columns={columns} icon="square" hasActions hasPages rows={3} />}>
        {({ memberships, total, next }) =>
          memberships.length > 0 ? (
            <MembershipTable
              memberships={memberships}
              pages={<ListPages {...{ pageSize, count: memberships.length, total, next }} />}
              onLeave={onLeave}
            />
          ) : total === 0 && !isFiltered ? (
            <NoOrganizations />
          ) : (
            <NoMatch onClear={clear} />
          )
        }
      </Loaded>
    </>
  )
}

interface TableProps extends ListProps {
  readonly memberships: readonly Membership[]
  readonly pages: React.ReactNode
}

function useMembershipColumns() {
  const t = useMessages(messages)
  return [
    { label: t('organization') },
    { label: t('role') },
    { label: t('membersHead') },
    { label: t('joinedOn'), isWideOnly: true },
  ]
}

function MembershipTable({ memberships, pages, onLeave }: TableProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const columns = useMembershipColumns()
  return (
    <Table label={t('yourOrganizations')} columns={columns} hasActions footer={pages}>
      {memberships.map((membership) => {
        const { organization, role, memberCount, joinedAt } = membership
        return (
          <Row
            key={organization.id}
            head={
              <RowHead
                icon={<Avatar name={organization.name} picture={organizationLogo(organization)} isSquare />}
                name={organization.name}
                to={organizationPath(organization.id)}
                detail={organization.slug}
                room="button"
              />
            }
            action={
              <Button aria-label={t('leaveNamed', { organization: organization.name })} onClick={() => onLeave(membership)}>
                {t('leave')}
              </Button>
            }
          >
            <Cell label={t('role')} isWrapping>
              <RoleTags role={role} />
            </Cell>
            <Cell label={t('membersHead')}>{format.number(memberCount)}</Cell>
            <Cell label={t('joinedOn')} isWideOnly>
              <Time value={joinedAt} style="date" />
            </Cell>
          </Row>
        )
      })}
    </Table>
  )
}

function NoOrganizations() {
  const t = useMessages(messages)
  const { organization } = useSettings()
  const canCreate = organization?.canCreate ?? false
  return (
    <Card>
      <Placeholder icon={Building2} heading="h3" title={t('noOrganizations')}>
        {canCreate ? t('noOrganizationsCreate') : t('noOrganizationsText')}
      </Placeholder>
    </Card>
  )
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const t = useMessages(messages)
  return (
    <Card>
      <Placeholder
        icon={SearchX}
        heading="h3"
        title={t('noOrganizationMatch')}
        actions={<Button onClick={onClear}>{t('clearFilters')}</Button>}
      >
        {t('noOrganizationMatchText')}
      </Placeholder>
    </Card>
  )
}
