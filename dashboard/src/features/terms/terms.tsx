/** The page between a proof and its session on which users accept terms, postpone them or decline them. */
import type { Next, PageRequest } from '../../../../src/core/hosted.ts'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { linkLook } from '../../components/look.ts'
import { Form } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { FailureNote } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, usePage, useSettings } from '../../hosted/page.ts'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { textIn, useFrameMessages } from '../../messages/index.ts'
import { hostedMessages as messages } from './hosted-messages.ts'

type Localized = string | Readonly<Record<string, string>>

/** As `GET /terms/pending` responds. */
export interface Pending {
  readonly email: string
  readonly documents: readonly {
    readonly id: string
    readonly version: string
    readonly title: Localized
    readonly url: string
    readonly changes: Localized | null
    readonly acceptedVersion: string | null
    readonly postponableUntil: string | null
  }[]
  readonly postpone: boolean
  /** Seconds; null: no sign-in waits, and the user is signed in. */
  readonly expiresIn: number | null
}

const path = '/terms'
const over = 'INVALID_TERMS_COOKIE'

export const exists = ({ terms }: PublicSettings): boolean => terms !== null
export const read = () => ({ call: 'GET /terms/pending', input: {} })

/** The sign-in page says why. */
export const toSignIn = (code: string, { parameters: { callbackURL } }: PageRequest): Next | null =>
  code === over ? { page: '/sign-in', parameters: { callbackURL, error: code.toLowerCase() } } : null

/** Without a sign-in that waits there is nothing to decline. */
const leave = (callbackURL: string | undefined): Next => ({ leave: callbackURL ?? null })

const answer = (call: string): FormDeclaration => ({
  call,
  next: ({ url }: { readonly url?: string }, { parameters }) => leave(url ?? parameters.callbackURL),
  onError: toSignIn,
})

const decline: FormDeclaration = {
  call: 'POST /terms/decline',
  next: (_result, { parameters: { callbackURL } }) => ({ page: '/terms/declined', parameters: { callbackURL } }),
  onError: toSignIn,
}

export const cancel: FormDeclaration = {
  call: 'POST /terms/cancel',
  next: (_result, { parameters: { callbackURL } }) => ({ page: '/sign-in', parameters: { callbackURL } }),
}

export const termsPage = hostedPage({
  path,
  messages,
  title: 'title',
  access: 'anyone',
  exists,
  read,
  onFailure: toSignIn,
  onRead: ({ data, parameters }) => {
    const { expiresIn, documents } = data as Pending
    return expiresIn === null && documents.length === 0 ? leave(parameters.callbackURL) : null
  },
  forms: [answer('POST /terms/accept'), answer('POST /terms/postpone'), decline, cancel],
  View: Terms,
})

function Terms() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { page } = usePage()
  const { appName } = useSettings()
  const { format } = useLocale()
  const pending = page.data as Pending | null
  if (!pending)
    return (
      <Content title={t('title')}>
        {page.failure ? <FailureNote failure={page.failure} /> : null}
        <ButtonLink to={path} search={page.parameters} variant="primary">
          {frame('tryAgain')}
        </ButtonLink>
      </Content>
    )
  const { documents, postpone, expiresIn } = pending
  const isChange = documents.some(({ acceptedVersion }) => acceptedVersion !== null)
  const versions = Object.fromEntries(documents.map(({ id, version }) => [id, version]))
  const [until] = documents.flatMap(({ postponableUntil }) => postponableUntil ?? []).sort()
  return (
    <Content
      title={isChange ? t('changedTitle') : t('acceptTitle')}
      lead={isChange ? t('changedLead', { appName }) : t('acceptLead', { appName })}
    >
      <ul className="grid grid-cols-1 gap-3">
        {documents.map((document) => (
          <Document key={document.id} document={document} />
        ))}
      </ul>
      <Form call="POST /terms/accept" hidden={{ terms: JSON.stringify(versions) }} submitLabel={t('accept')} />
      {postpone ? (
        <div className="grid gap-2">
          <Form call="POST /terms/postpone" submitLabel={t('notNow')} variant="secondary" />
          {until === undefined ? null : <Alternative>{t('postponeUntil', { date: format.date(new Date(until)) })}</Alternative>}
        </div>
      ) : null}
      {expiresIn === null ? null : (
        <div className="grid gap-2">
          <Form call="POST /terms/decline" submitLabel={t('decline')} variant="secondary" />
          <Form call="POST /terms/cancel" submitLabel={t('cancel')} variant="ghost" />
        </div>
      )}
    </Content>
  )
}

function Document({ document }: { readonly document: Pending['documents'][number] }) {
  const t = useMessages(messages)
  const { locale } = useLocale()
  const { version, url, changes, acceptedVersion: former } = document
  const title = textIn(locale, document.title)
  return (
    <li className="rounded-control border border-border bg-surface px-3 py-2.5 wrap-anywhere">
      <h2 className="text-16 font-medium">{title}</h2>
      <p className="text-13 text-muted">{former === null ? t('version', { version }) : t('replaces', { version, former })}</p>
      {changes === null ? null : (
        <p className="mt-2 text-14 whitespace-pre-line">
          <span className="font-medium">{t('whatIsNew')} </span>
          {textIn(locale, changes)}
        </p>
      )}
      <a href={url} target="_blank" rel="noopener noreferrer" className={`mt-2 inline-block text-14 ${linkLook(true)}`}>
        {t('read', { title })}
      </a>
    </li>
  )
}
