/** The pages for users who have lost their second factors, on which a reset that waits is requested. */
import type { Next, PageRequest } from '../../../../src/core/hosted.ts'
import { CodeField, Form } from '../../hosted/form.tsx'
import { Alternative, Content, Support } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { FailureNote, Note } from '../../hosted/note.tsx'
import { hostedPage, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { recoveryMessages as messages } from './recovery-messages.ts'
import { TimeLeft } from './time-left.tsx'
import { challengeOver, type Factor, tooManyAttempts, useWayTexts, waysOf } from './ways.ts'

interface Recovery {
  readonly hours: number
  readonly channels: readonly { readonly channel: 'sms' | 'email'; readonly to: string }[]
}

/** Administrators of an organization, by name. */
interface Contacts {
  readonly organization: string
  readonly names: readonly string[]
}

/** As `GET /two-factor/challenge` responds. */
interface Pending {
  /** Seconds. */
  readonly expiresIn: number
  readonly methods: readonly Factor[]
  readonly recovery: Recovery | null
  readonly resetAt: string | null
  readonly administrators: readonly Contacts[]
}

const common = {
  messages,
  access: 'anyone',
  exists: ({ twoFactor }: { readonly twoFactor: unknown }) => twoFactor !== null,
} as const
const path = '/two-factor/recover'
const sendCodes = 'POST /two-factor/send-reset-codes'
const requestReset = 'POST /two-factor/request-reset'

const leaveWhenOver = (code: string, { parameters: { callbackURL } }: PageRequest): Next | null =>
  code === challengeOver || code === tooManyAttempts
    ? { page: '/sign-in', parameters: { callbackURL, error: code.toLowerCase() } }
    : null

export const recoverPage = hostedPage({
  ...common,
  path,
  title: 'recover',
  read: () => ({ call: 'GET /two-factor/challenge', input: { administrators: 'true' } }),
  onFailure: leaveWhenOver,
  forms: [
    {
      call: sendCodes,
      next: (_result, { parameters: { callbackURL } }) => ({ page: path, parameters: { callbackURL, sent: 'true' } }),
      onError: leaveWhenOver,
    },
    {
      call: requestReset,
      next: ({ effectiveAt }: { readonly effectiveAt: string }, { parameters: { callbackURL } }) => ({
        page: '/two-factor/reset-requested',
        parameters: { callbackURL },
        keep: { effectiveAt },
      }),
      onError: leaveWhenOver,
    },
  ],
  View: Recover,
})

/** The server does not know the time zone of the visitor. */
function useTime(): (time: string) => string {
  const { page } = usePage()
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const
  const clock = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' } as const
  const format = new Intl.DateTimeFormat(page.locale, { ...day, ...clock })
  return (time) => format.format(new Date(time))
}

function Recover() {
  const t = useMessages(messages)
  const { page } = usePage()
  const time = useTime()
  const { callbackURL } = page.parameters
  const pending = page.data as Pending | null
  const hasCodes = useParameter('sent') !== undefined
  const back = (
    <Alternative>
      <TextLink to="/two-factor" search={{ callbackURL }}>
        {t('toSignIn')}
      </TextLink>
    </Alternative>
  )
  if (!pending) return <Content title={t('recover')}>{page.failure ? <FailureNote failure={page.failure} /> : null}</Content>
  return (
    <Content title={t('recover')} lead={t('recoverLead')}>
      {pending.resetAt === null ? null : (
        <Note tone="warning">
          <p>{t('waiting', { time: time(pending.resetAt) })}</p>
        </Note>
      )}
      <TimeLeft seconds={pending.expiresIn} />
      <Ways methods={pending.methods} />
      <section aria-labelledby="none-of-these" className="grid grid-cols-1 gap-4">
        <h2 id="none-of-these" className="text-16">
          {t('noneOfThese')}
        </h2>
        {pending.recovery ? <Request recovery={pending.recovery} hasCodes={hasCodes} /> : <OnlyByOthers />}
        <Administrators contacts={pending.administrators} />
      </section>
      {back}
    </Content>
  )
}

function OnlyByOthers() {
  const t = useMessages(messages)
  return (
    <>
      <p className="text-14 text-muted wrap-anywhere">{t('notPossible')}</p>
      <Support />
    </>
  )
}

/** Whom the user can ask, if their organization permits to show it. */
function Administrators({ contacts }: { readonly contacts: readonly Contacts[] }) {
  const t = useMessages(messages)
  if (contacts.length === 0) return null
  return (
    <div className="grid grid-cols-1 gap-2 text-14 wrap-anywhere">
      <p className="text-muted">{t('askAdministrators')}</p>
      <ul className="grid grid-cols-1 gap-1">
        {contacts.map(({ organization, names }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, by the server
          <li key={index}>
            <bdi className="font-semibold">{organization}</bdi>: <bdi>{names.join(', ')}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The factors that the user may still have; a passkey is on the page of the challenge. */
function Ways({ methods }: Pick<Pending, 'methods'>) {
  const { page } = usePage()
  const texts = useWayTexts()
  const ways = waysOf(methods)
  if (ways.length === 0) return null
  return (
    <ul className="grid grid-cols-1 gap-2">
      {ways.map((way) => (
        <li key={way.name} className="grid">
          <ButtonLink to="/two-factor" search={{ callbackURL: page.parameters.callbackURL, method: way.name }}>
            {texts.name(way)}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}

function Request({ recovery, hasCodes }: { readonly recovery: Recovery; readonly hasCodes: boolean }) {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  const to = (wanted: string) => recovery.channels.find(({ channel }) => channel === wanted)?.to
  const [email, number] = [to('email'), to('sms')]
  const both = email !== undefined && number !== undefined ? t('toBoth', { to: email, number }) : null
  const one = email === undefined ? t('toPhone', { to: number ?? '' }) : t('toEmail', { to: email })
  return (
    <>
      <p className="text-14 text-muted wrap-anywhere">
        {t('resetText', { hours: recovery.hours })} {both ?? one}
      </p>
      {hasCodes ? (
        <>
          <Form call={requestReset} submitLabel={t('requestReset')} variant="danger-filled">
            {email === undefined ? null : <CodeField name="code" label={t('emailCode')} />}
            {number === undefined ? null : <CodeField name="smsCode" label={t('smsCode')} autoFocus={email === undefined} />}
          </Form>
          <Form
            call={sendCodes}
            submitLabel={t('sendNewCodes')}
            variant="secondary"
            wait={Math.max(...recovery.channels.map(({ channel }) => twoFactor?.resendAfter[channel] ?? 0))}
            waitLabel={t('newCodesIn', { time: '{time}' })}
          />
        </>
      ) : (
        <Form call={sendCodes} submitLabel={t('sendCodes')} variant="secondary" />
      )}
    </>
  )
}

export const resetRequestedPage = hostedPage({
  ...common,
  path: '/two-factor/reset-requested',
  title: 'requested',
  View: Requested,
})

function Requested() {
  const t = useMessages(messages)
  const { page } = usePage()
  const time = useTime()
  const { effectiveAt } = page.kept
  return (
    <Content title={t('requested')} lead={effectiveAt === undefined ? null : t('requestedLead', { time: time(effectiveAt) })}>
      <p className="text-14 text-muted wrap-anywhere">{t('requestedText')}</p>
      <ButtonLink to="/sign-in" search={{ callbackURL: useParameter('callbackURL') }}>
        {t('toSignIn')}
      </ButtonLink>
    </Content>
  )
}
