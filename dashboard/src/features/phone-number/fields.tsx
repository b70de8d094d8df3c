/** Fields for a phone number and for the code that is sent to it, and the way to a new code. */
import { TextField } from '../../hosted/form.tsx'
import { TextLink } from '../../hosted/link.tsx'
import { useParameter, useSettings } from '../../hosted/page.ts'
import { SendAgain } from '../../hosted/send-again.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { phoneMessages as messages } from '../../messages/index.ts'

export function PhoneField({ initial }: { readonly initial?: string | undefined }) {
  const t = useMessages(messages)
  return (
    <TextField
      name="phoneNumber"
      label={t('phoneNumber')}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      dir="ltr"
      maxLength={64}
      hint={t('phoneHint')}
      initial={initial}
    />
  )
}

/** The errors of a rejected code, for the `fields` of a form. */
export const codeErrors = (field: string) => ({
  INVALID_OTP: field,
  OTP_EXPIRED: field,
  OTP_NOT_FOUND: field,
  TOO_MANY_ATTEMPTS: field,
})

interface NewCodeProps {
  /** The form that sends a code. */
  readonly call: string
  readonly number: string
  /** The page on which the number is entered. */
  readonly changeAt: string
}

/** What to do when no code arrives. A new one can be sent when the limit of the number permits it. */
export function NewCode({ call, number, changeAt }: NewCodeProps) {
  const t = useMessages(messages)
  const { phoneNumber } = useSettings()
  const callbackURL = useParameter('callbackURL')
  return (
    <div className="grid gap-3">
      <SendAgain
        call={call}
        hidden={{ phoneNumber: number }}
        texts={{ sent: t('newCodeSent'), send: t('sendNewCode'), sendIn: t('newCodeIn', { time: '{time}' }) }}
        wait={phoneNumber?.resendAfter}
      />
      <p>
        <TextLink to={changeAt} search={{ callbackURL }}>
          {t('changeNumber')}
        </TextLink>
      </p>
    </div>
  )
}
