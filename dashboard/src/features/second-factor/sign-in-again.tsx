/** A second factor in the dialog to sign in again: a code of the strongest one, and the others as another way. */
import { useState } from 'react'
import { send, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { CodeField, NewCode } from '../../components/one-time-code.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { finishSignIn, type SignInAgainProps, setSignInRequest } from '../../session/sign-in-request.ts'
import { challengeMessages as messages } from './challenge-messages.ts'
import { BackupCodeField } from './code-fields.tsx'
import {
  challengeOver,
  codeErrors,
  isSent,
  pauseOf,
  tooManyAttempts,
  useWayTexts,
  verifyCalls,
  type Way,
  type WayName,
  waysOf,
} from './ways.ts'

export function SignInAgain({ request, factors, cancel }: SignInAgainProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const texts = useWayTexts()
  const [chosen, setChosen] = useState<WayName>()
  const [sent, setSent] = useState<WayName>()
  const ways = waysOf(factors)
  const way = ways.find(({ name }) => name === chosen) ?? ways[0]
  const availableAt = request.demand?.availableAt
  if (!way) return cancel
  const needsRequest = isSent(way.name) && sent !== way.name
  return (
    <>
      {availableAt === undefined ? null : (
        <Note tone="warning" isLive>
          {t('tooNew', { time: format.dateTime(new Date(availableAt)) })}
        </Note>
      )}
      <p role="status" className="text-14">
        {texts.lead(way, !needsRequest)}
      </p>
      {needsRequest ? (
        <RequestCode key={way.name} way={way} cancel={cancel} onSent={() => setSent(way.name)} />
      ) : (
        <EnterCode key={way.name} way={way} request={request} cancel={cancel} />
      )}
      {isSent(way.name) && !needsRequest ? <SendAgain way={way} /> : null}
      <OtherFactors ways={ways.filter((other) => other !== way)} onChoose={setChosen} />
    </>
  )
}

const sendCode = ({ name }: Way) => send('POST /two-factor/send-otp', { body: { channel: name === 'email' ? 'email' : 'sms' } })

interface WayProps extends Pick<SignInAgainProps, 'cancel'> {
  readonly way: Way
}

function RequestCode({ way, cancel, onSent }: WayProps & { readonly onSent: () => void }) {
  const t = useMessages(messages)
  const state = useApiForm({
    schema: () => import('../../components/schemas.ts').then(({ empty }) => empty),
    defaults: {},
    submit: () => sendCode(way).then(onSent),
  })
  return (
    <Form state={state} submitLabel={t('sendCode')} actions={cancel}>
      {null}
    </Form>
  )
}

function EnterCode({ way, request, cancel }: WayProps & Pick<SignInAgainProps, 'request'>) {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  const state = useApiForm({
    schema: () => import('../../components/schemas.ts').then(({ codeOnly }) => codeOnly),
    defaults: { code: '' },
    fields: Object.fromEntries([...codeErrors, tooManyAttempts].map((code) => [code, 'code' as const])),
    submit: ({ code }) => finishSignIn(request, send(verifyCalls[way.name], { body: { code } })),
  })
  const startAgain = (error: unknown) =>
    Object(error).code === challengeOver ? (
      <Button onClick={() => setSignInRequest({ ...request, demand: null })}>{t('startAgain')}</Button>
    ) : null
  const control = state.field('code')
  return (
    <Form state={state} submitLabel={t('confirm')} actions={cancel} errorDetail={startAgain}>
      {way.name === 'backup-code' ? (
        <BackupCodeField hint={t('backupHint', { count: way.left })} {...control} />
      ) : (
        <CodeField
          label={t('code')}
          digits={(way.name === 'totp' ? twoFactor?.digits : twoFactor?.codeLength) ?? 6}
          {...control}
        />
      )}
    </Form>
  )
}

function SendAgain({ way }: Pick<WayProps, 'way'>) {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  const texts = { sent: t('newCodeSent'), send: t('sendNewCode'), sendIn: (time: string) => t('newCodeIn', { time }) }
  return <NewCode texts={texts} resend={() => sendCode(way)} resendAfter={pauseOf(way.name, twoFactor)} />
}

interface OtherProps {
  readonly ways: readonly Way[]
  readonly onChoose: (name: WayName) => void
}

function OtherFactors({ ways, onChoose }: OtherProps) {
  const t = useMessages(messages)
  const texts = useWayTexts()
  if (ways.length === 0) return null
  return (
    <section aria-labelledby="another-way" className="grid gap-1.5 border-t border-border pt-4">
      <h3 id="another-way" className="text-13">
        {t('anotherWay')}
      </h3>
      <ul className="flex flex-wrap gap-2">
        {ways.map((way) => (
          <li key={way.name}>
            <Button onClick={() => onChoose(way.name)}>{texts.name(way)}</Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
