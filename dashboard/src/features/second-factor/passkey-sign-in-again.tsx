/** A passkey in the dialog to sign in again. */
import { useMutation } from '@tanstack/react-query'
import { send } from '../../api/calls.ts'
import { shownProblems } from '../../browser/passkey-problems.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { finishSignIn, type SignInAgainProps } from '../../session/sign-in-request.ts'
import { signInMessages as messages } from './passkey-messages.ts'

/** @returns what the API responds with, or why there is nothing to send */
async function prove(): Promise<object | string> {
  const options = await send('GET /passkey/generate-authenticate-options', {})
  const { signWithPasskey } = await import('../../browser/passkeys.ts')
  const signed = await signWithPasskey(options)
  return typeof signed === 'string' ? signed : send('POST /passkey/verify-authentication', { body: { response: { ...signed } } })
}

export function SignInAgain({ request, cancel }: SignInAgainProps) {
  const t = useMessages(messages)
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: prove,
    onSuccess: (result) => (typeof result === 'string' ? undefined : finishSignIn(request, result)),
  })
  const problem = shownProblems.find((known) => known === data)
  return (
    <div className="grid gap-3">
      {error ? <ErrorNote error={error} /> : null}
      {problem ? (
        <Note tone="danger" isLive>
          {t(problem)}
        </Note>
      ) : null}
      <p className="text-14">{t('passkeyLead')}</p>
      <div className="flex flex-wrap justify-end gap-2">
        {cancel}
        <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
          {t('confirmWithPasskey')}
        </Button>
      </div>
    </div>
  )
}
