/** The way from a hosted page to the application that sent the user here, under the trusted-origin rules of the API. */
import { useState } from 'react'
import { apiPath, pageURL, send } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/feedback.tsx'
import { useFrameMessages } from '../messages.ts'
import { useParameter } from '../router-hooks.ts'

/** Redirects to the application, if it is trusted. */
export const continueURL = (callbackURL: string) => `${apiPath}/continue?callbackURL=${encodeURIComponent(callbackURL)}`

/**
 * Checks that the API redirects to this URL, before anything is done that the user would have to repeat.
 * @throws ClientError INVALID_CALLBACKURL
 */
export async function checkCallback(callbackURL: string | undefined): Promise<void> {
  if (callbackURL === undefined) return
  const { type } = await fetch(continueURL(callbackURL), { redirect: 'manual' })
  if (type !== 'opaqueredirect') await send('GET /continue', { query: { callbackURL } })
}

/**
 * Leaves for the application; without a target, for the account area.
 * @throws ClientError INVALID_CALLBACKURL
 */
export async function leave(callbackURL: string | undefined): Promise<void> {
  await checkCallback(callbackURL)
  location.assign(callbackURL === undefined ? pageURL('/account') : continueURL(callbackURL))
}

/** @param label default: that of the target */
export function ContinueButton({ label }: { readonly label?: string }) {
  const t = useFrameMessages()
  const callbackURL = useParameter('callbackURL')
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const go = () => {
    setBusy(true)
    leave(callbackURL).catch((failure: unknown) => {
      setError(failure)
      setBusy(false)
    })
  }
  return (
    <>
      {error === undefined ? null : <ErrorNote error={error} />}
      <Button variant="primary" size="large" isBusy={isBusy} onClick={go}>
        {label ?? (callbackURL === undefined ? t('continueToAccount') : t('continue'))}
      </Button>
    </>
  )
}
