/** Fields for a phone number and for the code that is sent to it, and the way to a new code. */
import { Form, TextField } from '../../hosted/form.tsx'
import { TextLink } from '../../hosted/link.tsx'
import { Note } from '../../hosted/note.tsx'
import { useParameter, useSettings } from '../../hosted/page.ts'
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
      {useParameter('sent') === 'again' ? (
        <Note tone="success" isLive>
          {t('newCodeSent')}
        </Note>
      ) : null}
      <Form
        call={call}
        hidden={{ phoneNumber: number }}
        submitLabel={t('sendNewCode')}
        variant="secondary"
        wait={phoneNumber?.resendAfter}
        waitLabel={t('newCodeIn', { time: '{time}' })}
      />
      <p>
        <TextLink to={changeAt} search={{ callbackURL }}>
          {t('changeNumber')}
        </TextLink>
      </p>
    </div>
  )
}
