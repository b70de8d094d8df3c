/** What the current user has accepted. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { FileCheck } from 'lucide-react'
import { Acceptances, acceptanceColumns } from '../../components/acceptances.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { Loaded } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { messages } from './index.ts'
import { screenMessages } from './screen-messages.ts'

const acceptedQuery = queryOptions({ queryKey: ['terms', 'accepted'], queryFn: () => call('GET /terms/acceptances', {}) })

export function Screen() {
  const titles = useMessages(messages)
  const t = useMessages(screenMessages)
  return (
    <>
      <PageHead title={titles('acceptedTerms')}>{t('acceptedLead')}</PageHead>
      <Loaded query={useQuery(acceptedQuery)} skeleton={<TableSkeleton columns={acceptanceColumns(t)} />}>
        {({ acceptances }) =>
          acceptances.length === 0 ? (
            <Card>
              <Placeholder icon={FileCheck} title={t('nothingAccepted')}>
                {t('nothingAcceptedText')}
              </Placeholder>
            </Card>
          ) : (
            <Acceptances label={titles('acceptedTerms')} acceptances={acceptances} t={t} />
          )
        }
      </Loaded>
    </>
  )
}
