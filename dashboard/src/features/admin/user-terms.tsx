/** What a user has accepted, for those who may read it. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Acceptances, acceptanceColumns } from '../../components/acceptances.tsx'
import { Card, Section } from '../../components/layout.tsx'
import { Loaded } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { termsMessages } from './terms-messages.ts'
import type { PartProps } from './user.tsx'

/** More than any user has accepted in years; the export has all. */
const limit = 100

const acceptancesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin', 'terms', userId],
    queryFn: () => call('GET /admin/list-terms-acceptances', { query: { userId, limit } }),
  })

export function UserTerms({ user }: Pick<PartProps, 'user'>) {
  const t = useMessages(termsMessages)
  return (
    <Section title={t('acceptedTerms')}>
      <Loaded query={useQuery(acceptancesQuery(user.id))} skeleton={<TableSkeleton columns={acceptanceColumns(t)} />}>
        {({ acceptances }) =>
          acceptances.length === 0 ? (
            <Card>
              <p className="px-4 py-3.5 text-13 text-muted">{t('nothingAccepted')}</p>
            </Card>
          ) : (
            <Acceptances label={t('acceptedTerms')} acceptances={acceptances} t={t} />
          )
        }
      </Loaded>
    </Section>
  )
}
