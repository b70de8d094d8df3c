/** The list of caught emails, and the chosen one next to it; on narrow screens, one of them. The URL names the email and the search. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Inbox, Mail as MailIcon, SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../api/calls.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Card, PageHead, Time } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useParameter } from '../../routes/parameters.ts'
import { messages } from './index.ts'
import { type Mail, MailView } from './mail-view.tsx'

/** How many emails the API lists at most. */
const maxListed = 100

const mailsQuery = queryOptions({
  queryKey: ['mailbox'],
  queryFn: () => send('GET /mailbox/list', {}).then(({ mails }) => mails),
  // Paused while the tab is hidden.
  refetchInterval: 2000,
})

export function Screen() {
  const t = useMessages(messages)
  const { data: mails, error, refetch } = useQuery(mailsQuery)
  return (
    <>
      <PageHead title={t('mailbox')}>{t('mailboxText')}</PageHead>
      {mails ? <Mailbox mails={mails} /> : error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}
    </>
  )
}

/** Says how many emails arrived since the last announcement. */
function Arrivals({ mails }: { readonly mails: readonly Mail[] }) {
  const t = useMessages(messages)
  const seen = useRef(new Set(mails.map(({ id }) => id)))
  const [count, setCount] = useState(0)
  useEffect(() => {
    const fresh = mails.filter(({ id }) => !seen.current.has(id))
    if (fresh.length === 0) return
    for (const { id } of fresh) seen.current.add(id)
    setCount(fresh.length)
  }, [mails])
  return (
    <p role="status" className="sr-only">
      {count > 0 ? t('arrived', { count }) : ''}
    </p>
  )
}

function Mailbox({ mails }: { readonly mails: readonly Mail[] }) {
  const t = useMessages(messages)
  const chosen = useParameter('mail')
  const searched = useParameter('to')
  const found = searched ? mails.filter(({ recipient }) => recipient.includes(searched.toLowerCase().trim())) : mails
  const mail = mails.find(({ id }) => id === chosen)
  return (
    <>
      <Arrivals mails={mails} />
      {mails.length === 0 ? (
        <Card>
          <Placeholder icon={Inbox} title={t('noEmails')} actions={<FirstActions />}>
            {t('noEmailsText')}
          </Placeholder>
        </Card>
      ) : (
        <div className="grid items-start gap-6 console:grid-cols-[20rem_minmax(0,1fr)]">
          <div className={clsx('min-w-0', chosen && 'hidden console:block')}>
            <MailList mails={found} total={mails.length} searched={searched} chosen={chosen} />
          </div>
          <div className={clsx('min-w-0', !chosen && 'hidden console:block')}>
            {mail ? <MailView key={mail.id} mail={mail} searched={searched} /> : <NoMail isUnknown={chosen !== undefined} />}
          </div>
        </div>
      )}
    </>
  )
}

function FirstActions() {
  const t = useMessages(messages)
  return (
    <>
      <ButtonLink to="/sign-up" variant="primary">
        {t('signUp')}
      </ButtonLink>
      <ButtonLink to="/forgot-password">{t('resetPassword')}</ButtonLink>
    </>
  )
}

function NoMail({ isUnknown }: { readonly isUnknown: boolean }) {
  const t = useMessages(messages)
  return (
    <Card>
      <Placeholder
        icon={MailIcon}
        title={isUnknown ? t('notFound') : t('chooseEmail')}
        actions={isUnknown ? <ButtonLink to="/mailbox">{t('backToList')}</ButtonLink> : undefined}
      >
        {isUnknown ? t('notFoundText') : t('chooseEmailText')}
      </Placeholder>
    </Card>
  )
}

interface MailListProps {
  readonly mails: readonly Mail[]
  /** Of all listed emails. */
  readonly total: number
  readonly searched: string | undefined
  readonly chosen: string | undefined
}

function MailList({ mails, total, searched, chosen }: MailListProps) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const search = (to: string) => void navigate({ to: '/mailbox', search: { mail: chosen, to: to || undefined }, replace: true })
  const count = { count: mails.length }
  return (
    <div className="grid gap-3">
      <TextField
        label={t('searchByRecipient')}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={searched ?? ''}
        onChange={(event) => search(event.target.value)}
      />
      <p role="status" className="text-13 text-muted">
        {total === maxListed && !searched ? t('newestOnly', count) : t('count', count)}
      </p>
      <Card>
        {mails.length === 0 ? (
          <Placeholder
            icon={SearchX}
            title={t('noMatch', { text: searched ?? '' })}
            actions={<Button onClick={() => search('')}>{t('clearSearch')}</Button>}
          >
            {t('noMatchText')}
          </Placeholder>
        ) : (
          <ul aria-label={t('emails')} className="divide-y divide-border">
            {mails.map((mail) => (
              <MailEntry key={mail.id} mail={mail} searched={searched} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}

function MailEntry({ mail, searched }: { readonly mail: Mail; readonly searched: string | undefined }) {
  return (
    <li className="first:[&>a]:rounded-t-card last:[&>a]:rounded-b-card">
      <Link
        to="/mailbox"
        search={{ mail: mail.id, to: searched } as never}
        activeOptions={{ exact: true, includeSearch: true }}
        className="relative block px-4 py-2.5 text-13 hover:bg-hover focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft"
      >
        <span className="flex items-baseline gap-3">
          <span className="min-w-0 grow truncate font-medium">{mail.recipient}</span>
          <span className="shrink-0 text-12 text-muted">
            <Time value={mail.createdAt} />
          </span>
        </span>
        <span className="block truncate text-muted">{mail.isText ? mail.text : mail.subject}</span>
      </Link>
    </li>
  )
}
