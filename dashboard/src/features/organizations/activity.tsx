/** The activity of an organization: who changed what, newest first. */
import { useQuery } from '@tanstack/react-query'
import { History, SearchX } from 'lucide-react'
import { hasCode } from '../../api/calls.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { ListPages, Loaded } from '../../components/list.tsx'
import { Filter } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { organizationPath, pageSize, useOrganization } from '../../session/organizations.ts'
import { ActivityEntries, activityTexts } from './activity-entries.tsx'
import { activityQuery } from './data.ts'
import { messages } from './messages.ts'
import { NotPermitted } from './not-permitted.tsx'

const isAction = (value: string | undefined): value is keyof typeof activityTexts =>
  value !== undefined && Object.hasOwn(activityTexts, value)

export function Screen() {
  const t = useMessages(messages)
  const organization = useOrganization()
  if (!organization.allows('organization', 'update')) return <NotPermitted title={t('activity')} />
  return (
    <>
      <PageHead title={t('activity')}>{t('activityLead', { name: organization.name })}</PageHead>
      <Timeline id={organization.id} />
    </>
  )
}

function Timeline({ id }: { readonly id: string }) {
  const t = useMessages(messages)
  const parameter = useParameter('action')
  const action = isAction(parameter) ? parameter : undefined
  const filter = useFilter()
  const { after, page } = useListPage()
  const query = useQuery(activityQuery(id, { cursor: after, action }))
  if (hasCode(query.error, 'FORBIDDEN')) return <NotPermitted title={t('activity')} heading="h2" />
  return (
    <>
      <div className="mb-3">
        <ActionFilter value={action} onChange={(next) => filter({ action: next })} />
      </div>
      <Loaded query={query}>
        {({ events, nextCursor }) => (
          <Card>
            {events.length === 0 ? (
              <NoActivity isFiltered={action !== undefined || page > 1} onClear={() => filter({ action: undefined })} />
            ) : (
              <>
                <ActivityEntries activities={events} />
                <ListPages pageSize={pageSize} count={events.length} next={nextCursor} />
              </>
            )}
          </Card>
        )}
      </Loaded>
    </>
  )
}

interface ActionFilterProps {
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

const kinds = {
  'member.role-changed': 'filterRoleChanges',
  'member.joined': 'filterJoined',
  'member.removed': 'filterRemoved',
  'member.left': 'filterLeft',
  'invitation.created': 'filterInvited',
  'organization.updated': 'filterSettings',
} as const

function ActionFilter({ value = '', onChange }: ActionFilterProps) {
  const t = useMessages(messages)
  const options = [
    { value: '', label: t('anyActivity') },
    ...Object.entries(kinds).map(([action, key]) => ({ value: action, label: t(key) })),
  ]
  return <Filter label={t('activity')} value={value} options={options} onChange={(next) => onChange(next || undefined)} />
}

function NoActivity({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const t = useMessages(messages)
  const { id } = useOrganization()
  return (
    <Placeholder
      icon={isFiltered ? SearchX : History}
      title={t('noActivity')}
      actions={
        isFiltered ? (
          <Button onClick={onClear}>{t('clearFilters')}</Button>
        ) : (
          <ButtonLink to={organizationPath(id, 'members') as string}>{t('members')}</ButtonLink>
        )
      }
    >
      {isFiltered ? t('noActivityFoundText') : t('noActivityText')}
    </Placeholder>
  )
}
