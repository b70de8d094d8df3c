/** What the list of users shows in place of rows: errors, no results, and the first use. */
import { SearchX, Users } from 'lucide-react'
import { hasCode, useSettings } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock, ErrorNote, LoadError, Note, Placeholder } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter } from '../../list-state.ts'
import type { UserFilter } from './data.ts'
import { isFiltered } from './filters.tsx'
import { messages } from './index.ts'

/** What the search for users finds in addition to names and email addresses. */
export function useSearched() {
  const { username, phoneNumber } = useSettings()
  return { username: Boolean(username), phoneNumber: Boolean(phoneNumber) }
}

/** A search that took too long: what to do stands next to the code. */
export const SearchError = ({ error }: { readonly error: unknown }) => (
  <div className="mb-3">
    <ErrorNote error={error}>{hasCode(error, 'SEARCH_TOO_SLOW') ? <SlowSearch /> : null}</ErrorNote>
  </div>
)
const SlowSearch = () => <p>{useMessages(messages)('tooSlowText')}</p>

export function FirstError({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const t = useMessages(messages)
  return (
    <>
      <LoadError error={error} retry={retry} />
      {hasCode(error, 'SEARCH_TOO_SLOW') ? <Note title={t('tooSlow')}>{t('tooSlowText')}</Note> : null}
    </>
  )
}

export function NoUsers({ filter, onClear }: { readonly filter: UserFilter; readonly onClear: () => void }) {
  const t = useMessages(messages)
  const change = useFilter()
  const searched = useSearched()
  const command = 'latchkey users create --email ann@example.com --name Ann'
  if (isFiltered(filter))
    return (
      <Card>
        <Placeholder icon={SearchX} title={t('noUserFound')} actions={<Button onClick={onClear}>{t('clearFilters')}</Button>}>
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
