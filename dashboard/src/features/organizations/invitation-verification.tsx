/** Before an invitation can be accepted: the verification of the email address, whose link leads back to the page. */
import { useMutation } from '@tanstack/react-query'
import { hasCode, pageURL, refreshSession, useSettings } from '../../api/calls.ts'
import { useErrorText } from '../../api/errors.ts'
import { Button } from '../../components/button.tsx'
import { useCaptcha } from '../../components/captcha.tsx'
import { ErrorNote, Note, useCountdown } from '../../components/feedback.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './invitation-messages.ts'

/** How long another attempt has to wait, and the label of its button until then. */
function useWait(error: unknown): { readonly left: number; readonly label: string | undefined } {
  const frame = useFrameMessages()
  const { format } = useLocale()
  const errorText = useErrorText()
  const left = useCountdown(error ?? undefined, error ? errorText(error).retryAfter : undefined)
  return { left, label: left > 0 ? frame('tryAgainIn', { time: format.duration(left) }) : undefined }
}

interface Props {
  readonly email: string
  /** The page to come back to. */
  readonly here: string
  readonly title: string
  readonly text: string
}

export function VerifyFirst({ email, here, title, text }: Props) {
  const t = useMessages(messages)
  const { emailVerification } = useSettings()
  const captcha = useCaptcha('/send-verification-email')
  const mail = useMutation({
    mutationFn: async () => {
      const body = { email, callbackURL: pageURL('/email-verified', { callbackURL: here }) }
      await captcha.send('POST /send-verification-email', { body })
    },
    // It was verified in another window.
    onError: (error) => {
      if (hasCode(error, 'YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL')) void refreshSession()
    },
  })
  const wait = useWait(mail.error)
  return (
    <div className="grid justify-items-start gap-3">
      <Note tone="warning" title={title}>
        <p>{text}</p>
      </Note>
      {mail.error ? <ErrorNote error={mail.error} /> : null}
      {mail.isSuccess ? (
        <Note tone="success" isLive>
          {t('verificationSent', { email })}
        </Note>
      ) : null}
      {emailVerification && !mail.isSuccess ? (
        <>
          {captcha.widget}
          <Button variant="primary" isBusy={mail.isPending} disabled={wait.left > 0} onClick={() => mail.mutate()}>
            {wait.label ?? t('sendVerification')}
          </Button>
        </>
      ) : null}
    </div>
  )
}
