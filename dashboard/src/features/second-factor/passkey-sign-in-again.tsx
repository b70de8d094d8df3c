/** A passkey in the dialog to sign in again. */
import { useMutation } from '@tanstack/react-query'
import { queryClient, send, useSettings } from '../../api/calls.ts'
import { shownProblems } from '../../browser/passkey-problems.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { finishSignIn, openSetup, type SignInAgainProps } from '../../session/sign-in-request.ts'
import { passkeysQuery, provePasskey } from './passkey-data.ts'
import { signInMessages as messages } from './passkey-messages.ts'

/** Whether the user has a passkey; also true when it is not known, because the session had ended before the list was read. */
export const mayHavePasskey = (): Promise<boolean> =>
  queryClient
    .ensureQueryData({ ...passkeysQuery, queryFn: () => send('GET /passkey/list-user-passkeys', {}), retry: false })
    .then(
      (passkeys) => passkeys.length > 0,
      () => true,
    )

export function SignInAgain({ request, cancel }: SignInAgainProps) {
  const t = useMessages(messages)
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => provePasskey().catch(openSetup),
    onSuccess: (result) => (typeof result === 'string' ? undefined : finishSignIn(request, result)),
  })
  const { passkey } = useSettings()
  const problem = shownProblems.find((known) => known === data)
  return (
    <div className="grid gap-3">
      {error ? <ErrorNote error={error} /> : null}
      {problem ? (
        <Note tone="danger" isLive>
          {problem === 'wrongDomain' ? t(problem, { domain: passkey?.rpId ?? '' }) : t(problem)}
        </Note>
      ) : null}
      <p className="text-14">{t('passkeyLead')}</p>
      <div className="flex flex-wrap gap-2">
        {/* The last method has the primary button, and the one that cancels. */}
        <Button variant={cancel ? 'primary' : 'secondary'} isBusy={isPending} onClick={() => mutate()}>
          {t('confirmWithPasskey')}
        </Button>
        {cancel}
      </div>
    </div>
  )
}
