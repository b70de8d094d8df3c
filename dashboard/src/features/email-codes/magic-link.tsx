/**
 * The page of magic links. The browser that asked is signed in immediately. In any other a person must act first, because mail scanners
 * open links, also in browsers that run scripts.
 */
import type { Next } from '../../../../src/core/hosted.ts'
import { Form, PasswordField } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { FailureNote, Note } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, pagePath, readToken, tokenOf, usePage, useParameter } from '../../hosted/page.ts'
import { HiddenUsername } from '../../hosted/username-field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

/** As `POST /magic-link/preview` responds. */
interface Link {
  readonly email: string
  readonly requestedAt: string
  readonly device: string | null
  readonly sameBrowser: boolean
  readonly otherBrowser: 'confirm' | 'code' | 'refuse'
  readonly isNewUser: boolean
  readonly needsProof: boolean
  readonly hasPassword: boolean
  readonly current: { readonly email: string } | null
  readonly code: string | null
}

const signIn: FormDeclaration = {
  call: 'POST /magic-link/verify',
  method: () => 'email',
  fields: { INVALID_PASSWORD: 'password' },
  next: (result: { readonly url?: string }): Next => ({ leave: result.url ?? null }),
}

export const magicLinkPage = hostedPage({
  path: '/magic-link',
  messages,
  title: 'linkTitle',
  access: 'anyone',
  exists: ({ magicLink }) => magicLink !== null,
  keeps: ['token'],
  read: readToken('POST /magic-link/preview'),
  // By a call that knows the cookie of the browser that asked.
  onRead: ({ data, kept, parameters }, site) => {
    const { sameBrowser, needsProof, current, email } = data as Link
    if (!sameBrowser || needsProof || (current && current.email !== email)) return null
    const {
      callbackURL = pagePath(site, '/account'),
      newUserCallbackURL,
      errorCallbackURL = pagePath(site, '/sign-in'),
    } = parameters
    const search = new URLSearchParams({ token: kept.token ?? '', callbackURL, errorCallbackURL })
    if (newUserCallbackURL !== undefined) search.set('newUserCallbackURL', newUserCallbackURL)
    return { url: `${site.api}/magic-link/verify?${search}` }
  },
  forms: [signIn],
  View: MagicLink,
})

function MagicLink() {
  const { page } = usePage()
  const link = page.data as Link | null
  const step = useParameter('step')
  if (!link) return <Ended />
  const isElsewhere = !link.sameBrowser && link.otherBrowser !== 'confirm'
  if (isElsewhere && link.otherBrowser === 'refuse') return <OpenThere />
  if (link.code !== null && (isElsewhere || step === 'code')) return <ShowCode code={link.code} canGoBack={!isElsewhere} />
  if (!link.needsProof) return <Confirm {...link} />
  return link.hasPassword && step !== 'take-over' ? <Prove {...link} /> : <TakeOver {...link} />
}

function Ended() {
  const t = useMessages(messages)
  const { page } = usePage()
  return (
    <Content title={t('linkEnded')}>
      {page.failure ? <FailureNote failure={page.failure} /> : null}
      <ButtonLink to="/sign-in/email" search={{ callbackURL: useParameter('callbackURL') }} variant="primary">
        {t('newLink')}
      </ButtonLink>
    </Content>
  )
}

function OpenThere() {
  const t = useMessages(messages)
  return <Content title={t('openThere')} lead={t('openThereText')} />
}

function ShowCode({ code, canGoBack }: { readonly code: string; readonly canGoBack: boolean }) {
  const t = useMessages(messages)
  const { page } = usePage()
  return (
    <Content title={t('codeTitle')} lead={t('codeText')}>
      <p className="text-center font-mono text-24 font-semibold tracking-widest" dir="ltr">
        {code}
      </p>
      <Note tone="warning">{t('notRequested')}</Note>
      {canGoBack ? (
        <ButtonLink to={page.path} search={{ ...page.parameters, step: undefined }} variant="ghost">
          {t('back')}
        </ButtonLink>
      ) : null}
    </Content>
  )
}

/** In UTC: the server does not know the time zone of the visitor. */
export function timeOfDay(locale: string, time: string): string {
  const clock = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' } as const
  return new Intl.DateTimeFormat(locale, clock).format(new Date(time))
}

/** Who asked, when and with what. */
function useLead({ email, requestedAt, device }: Link): string {
  const t = useMessages(messages)
  const { page } = usePage()
  const time = timeOfDay(page.locale, requestedAt)
  return device === null ? t('askedAt', { email, time }) : t('askedAtFrom', { email, time, device })
}

function Confirm(link: Link) {
  const t = useMessages(messages)
  const { page } = usePage()
  const { email, current, isNewUser, code } = link
  const isSwitch = current !== null && current.email !== email
  return (
    <Content title={t('linkTitle')} lead={useLead(link)}>
      {isSwitch ? <Note tone="warning">{t('switchesFrom', { current: current.email, email })}</Note> : null}
      {isNewUser ? <Note tone="info">{t('createsAccount')}</Note> : null}
      <Form call="POST /magic-link/verify" hidden={{ token: tokenOf(page) }} submitLabel={t('signInHere')} />
      {code === null ? null : (
        <ButtonLink to={page.path} search={{ ...page.parameters, step: 'code' }}>
          {t('askedElsewhere')}
        </ButtonLink>
      )}
      <p className="text-14 text-muted">{t('notRequested')}</p>
    </Content>
  )
}

function Prove({ email }: Link) {
  const t = useMessages(messages)
  const { page } = usePage()
  return (
    <Content title={t('proveTitle')} lead={t('proveLead', { email })}>
      <Form call="POST /magic-link/verify" hidden={{ token: tokenOf(page) }} submitLabel={t('signIn')}>
        <HiddenUsername value={email} />
        <PasswordField name="password" label={t('password')} autoComplete="current-password" />
      </Form>
      <ButtonLink to={page.path} search={{ ...page.parameters, step: 'take-over' }}>
        {t('notMe')}
      </ButtonLink>
    </Content>
  )
}

function TakeOver(link: Link) {
  const t = useMessages(messages)
  const { page } = usePage()
  return (
    <Content title={t('takeOverTitle')} lead={useLead(link)}>
      <Note tone="warning">{t('takeOverEnds')}</Note>
      <Form call="POST /magic-link/verify" hidden={{ token: tokenOf(page) }} submitLabel={t('takeOver')} />
      {link.hasPassword ? (
        <ButtonLink to={page.path} search={{ ...page.parameters, step: undefined }} variant="ghost">
          {t('back')}
        </ButtonLink>
      ) : null}
    </Content>
  )
}
