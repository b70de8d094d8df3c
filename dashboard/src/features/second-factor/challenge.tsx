/** The page between a first factor and its session: a code of the strongest second factor, and the others as another way. */
import type { Next, PageRequest } from '../../../../src/core/hosted.ts'
import { Checkbox, CodeField, Form, TextField } from '../../hosted/form.tsx'
import { Alternative, Content, Support } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { FailureNote, Note } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { challengeMessages as messages } from './challenge-messages.ts'
import { PasskeyForm, passkeyForm } from './passkey-form.tsx'
import { signInMessages } from './passkey-messages.ts'
import { recoveryMessages } from './recovery-messages.ts'
import { TimeLeft } from './time-left.tsx'
import {
  challengeOver,
  codeErrors,
  type Factor,
  isSent,
  pauseOf,
  tooManyAttempts,
  useWayTexts,
  verifyCalls,
  type Way,
  waysOf,
} from './ways.ts'

/** As `GET /two-factor/challenge` responds. */
interface Pending {
  /** Seconds. */
  readonly expiresIn: number
  readonly methods: readonly Factor[]
  readonly trustDevice: boolean
  /** Wrong codes. */
  readonly failures: number
}

const path = '/two-factor'

/** The sign-in page says why. */
const toSignIn = (code: string, { parameters: { callbackURL } }: PageRequest): Next => ({
  page: '/sign-in',
  parameters: { callbackURL, error: code.toLowerCase() },
})

interface Verified {
  readonly url?: string
  /** After a backup code. */
  readonly backupCodesLeft?: number
}

/** @param ending the codes after which only a new sign-in helps */
const verify = (call: string, ending: readonly string[], atField: readonly string[]): FormDeclaration => ({
  call,
  fields: Object.fromEntries(atField.map((code) => [code, 'code'])),
  next: ({ url, backupCodesLeft }: Verified, { parameters, hasScript }) => {
    const target = url ?? parameters.callbackURL
    // That was the last one: the user creates new ones first, on a page that needs a script.
    if (backupCodesLeft === 0 && hasScript) return { page: '/two-factor/new-codes', parameters: { callbackURL: target } }
    return { leave: target ?? null }
  },
  onError: (code, page) => (ending.includes(code) ? toSignIn(code, page) : null),
})

const sendCode: FormDeclaration = {
  call: 'POST /two-factor/send-otp',
  next: (_result, { parameters }, { channel }) => ({
    page: path,
    parameters: { ...parameters, method: channel, sent: parameters.sent && parameters.method === channel ? 'again' : 'true' },
  }),
  onError: (code, page) => (code === challengeOver ? toSignIn(code, page) : null),
}

const cancel: FormDeclaration = {
  call: 'POST /two-factor/cancel',
  next: (_result, { parameters: { callbackURL } }) => ({ page: '/sign-in', parameters: { callbackURL } }),
}

export const challengePage = hostedPage({
  path,
  messages,
  title: 'title',
  access: 'anyone',
  exists: ({ twoFactor }) => twoFactor !== null,
  read: () => ({ call: 'GET /two-factor/challenge', input: {} }),
  onFailure: (code, page) => (code === challengeOver ? toSignIn(code, page) : null),
  forms: [
    verify(verifyCalls.totp, [challengeOver, tooManyAttempts], codeErrors),
    verify(verifyCalls['backup-code'], [challengeOver, tooManyAttempts], codeErrors),
    // Too many wrong codes end the code, and not the challenge.
    verify(verifyCalls.sms, [challengeOver], [...codeErrors, tooManyAttempts]),
    sendCode,
    passkeyForm,
    cancel,
  ],
  View: Challenge,
})

function Challenge() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { page } = usePage()
  const method = useParameter('method')
  const sent = useParameter('sent')
  const texts = useWayTexts()
  const passkey = useMessages(signInMessages)
  const lost = useMessages(recoveryMessages)
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
  const ways = waysOf(pending.methods)
  const way = ways.find(({ name }) => name === method) ?? ways[0]
  const hasCode = sent !== undefined && way?.name === method
  // The API lists first what this browser used last, and else the strongest.
  const hasPasskey = pending.methods.some(({ type }) => type === 'passkey')
  const isByPasskey = hasPasskey && (method === 'passkey' || (method === undefined && pending.methods[0]?.type === 'passkey'))
  return (
    <Content title={t('title')} lead={isByPasskey ? passkey('passkeyLead') : way ? texts.lead(way, hasCode) : t('noWay')}>
      {sent === 'again' && hasCode ? (
        <Note tone="success" isLive>
          {t('newCodeSent')}
        </Note>
      ) : null}
      {isByPasskey ? <PasskeyForm label={passkey('confirmWithPasskey')} variant="primary" /> : null}
      {isByPasskey ? null : way ? <Proof way={way} hasCode={hasCode} pending={pending} /> : <Support />}
      <TimeLeft seconds={pending.expiresIn} />
      <OtherWays
        ways={isByPasskey ? ways : ways.filter((other) => other !== way)}
        passkey={hasPasskey && !isByPasskey ? passkey('confirmWithPasskey') : null}
      />
      <Alternative>
        <TextLink to="/two-factor/recover" search={{ callbackURL: page.parameters.callbackURL }}>
          {lost('lostFactors')}
        </TextLink>
      </Alternative>
      <Form call={cancel.call} submitLabel={t('cancel')} variant="ghost" />
    </Content>
  )
}

interface ProofProps {
  readonly way: Way
  /** Whether a code was sent, if this way needs one. */
  readonly hasCode: boolean
  readonly pending: Pending
}

/** A code of an app that is wrong twice is often one of a clock that is wrong. */
const fewFailures = 2

function Proof({ way, hasCode, pending }: ProofProps) {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  const isBackup = way.name === 'backup-code'
  const resend = { call: sendCode.call, hidden: { channel: way.name } }
  if (isSent(way.name) && !hasCode) return <Form {...resend} submitLabel={t('sendCode')} />
  return (
    <>
      <Form call={verifyCalls[way.name]} submitLabel={t('signIn')}>
        {/* Before the code, because its last digit sends the form. */}
        {pending.trustDevice && !isBackup && twoFactor ? (
          <Checkbox name="trustDevice" label={t('trust', { count: twoFactor.trustDays })} />
        ) : null}
        {isBackup ? (
          <TextField
            name="code"
            label={t('backupCode')}
            hint={t('backupHint', { count: way.left })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            maxLength={80}
            autoFocus
          />
        ) : (
          <CodeField
            name="code"
            label={t('code')}
            hint={way.name === 'totp' && pending.failures >= fewFailures ? t('clockHint') : undefined}
            data-digits={way.name === 'totp' ? twoFactor?.digits : twoFactor?.codeLength}
            data-sms={way.name === 'sms' || undefined}
          />
        )}
      </Form>
      {isSent(way.name) ? (
        <Form
          {...resend}
          submitLabel={t('sendNewCode')}
          variant="secondary"
          wait={pauseOf(way.name, twoFactor)}
          waitLabel={t('newCodeIn', { time: '{time}' })}
        />
      ) : null}
    </>
  )
}

interface OtherProps {
  readonly ways: readonly Way[]
  /** Its label; null: the page shows it already, or there is none. */
  readonly passkey: string | null
}

function OtherWays({ ways, passkey }: OtherProps) {
  const t = useMessages(messages)
  const { page } = usePage()
  const texts = useWayTexts()
  if (ways.length === 0 && passkey === null) return null
  return (
    <section aria-labelledby="another-way" className="grid gap-2.5">
      <h2 id="another-way" className="text-14">
        {t('anotherWay')}
      </h2>
      <ul className="grid grid-cols-1 gap-2">
        {passkey === null ? null : (
          <li className="grid">
            <ButtonLink to={path} search={{ callbackURL: page.parameters.callbackURL, method: 'passkey' }}>
              {passkey}
            </ButtonLink>
          </li>
        )}
        {ways.map((way) => (
          <li key={way.name} className="grid">
            <ButtonLink to={path} search={{ callbackURL: page.parameters.callbackURL, method: way.name }}>
              {texts.name(way)}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
