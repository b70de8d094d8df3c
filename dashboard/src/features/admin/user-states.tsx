/** What the list of users shows in place of rows: no results, and the first use. */
import { SearchX, Users } from 'lucide-react'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock, Placeholder } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter } from '../../routes/list-state.ts'
import type { UserFilter } from './data.ts'
import { isFiltered, unfiltered } from './filters.tsx'
import { messages } from './index.ts'

/** What the search for users finds in addition to names and email addresses. */
export function useSearched() {
  const { username, phoneNumber } = useSettings()
  return { username: Boolean(username), phoneNumber: Boolean(phoneNumber) }
}

export function NoUsers({ filter }: { readonly filter: UserFilter }) {
  const t = useMessages(messages)
  const change = useFilter()
  const searched = useSearched()
  const command = 'latchkey users create --email ann@example.com --name Ann'
  if (isFiltered(filter))
    return (
      <Card>
        <Placeholder
          icon={SearchX}
          title={t('noUserFound')}
          actions={<Button onClick={() => change(unfiltered)}>{t('clearFilters')}</Button>}
        >
          {t('noUserFoundText', searched)}
        </Placeholder>
      </Card>
    )
  return (
    <Card>
      {filter.after === undefined ? (
        <Placeholder icon={Users} title={t('noUsers')}>
          <p className="mb-3">{t('noUsersText')}</p>
          <CodeBlock code={command} label={t('command')} copyLabel={t('copyCommand')} />
        </Placeholder>
      ) : (
        <Placeholder
          icon={SearchX}
          title={t('noMoreUsers')}
          actions={<Button onClick={() => change({})}>{t('showFirstPage')}</Button>}
        >
          {t('noMoreUsersText')}
        </Placeholder>
      )}
    </Card>
  )
}
