/**
 * The page of verification links. In the browser that signed up, or is signed in, it has one button. In any other it asks first:
 * another person may have signed up with the email address. Then it goes on to the target of the link.
 */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { withParameter } from '../../../../src/lib/url.ts'
import { pageURL, send } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Skeleton, useCountdown } from '../../components/feedback.tsx'
import { useErrorText } from '../../errors.ts'
import { continueURL } from '../../frame/continue.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { useParameter, useToken } from '../../router-hooks.ts'
import { NotVerified } from './email-verified.tsx'
import { messages } from './index.ts'
import { ends, failureOf, type Outcome, Steps } from './verify-steps.tsx'

/** The target as a page of the dashboard; null when it is elsewhere. */
function hostedTarget(target: string) {
  const { origin, pathname, searchParams } = new URL(target, location.href)
  const to = ends.find((page) => pageURL(page) === `${origin}${pathname}`)
  return to === undefined ? null : { to, search: Object.fromEntries(searchParams) }
}

/** This page is replaced: going back must not lead to the link, and its token must not stay in the history. */
function useGoOn(outcome: Outcome | undefined, callbackURL: string | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!outcome) return
    const { end, error, pending } = outcome
    const target = callbackURL ?? pageURL(end)
    const hosted = hostedTarget(target)
    if (hosted) void navigate({ to: hosted.to, search: { ...hosted.search, error, pending } as never, replace: true })
    else location.replace(continueURL(error === undefined ? target : withParameter(target, 'error', error)))
  }, [outcome, callbackURL, navigate])
}

function Failure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { format } = useLocale()
  const { code, retryAfter } = useErrorText()(error)
  const wait = useCountdown(error, retryAfter)
  return (
    <HostedPage title={t('notVerified')}>
      <ErrorNote error={error} />
      {code === 'INVALID_CALLBACKURL' ? null : (
        <Button variant="primary" size="large" disabled={wait > 0} onClick={retry}>
          {wait > 0 ? frame('tryAgainIn', { time: format.duration(wait) }) : frame('tryAgain')}
        </Button>
      )}
    </HostedPage>
  )
}

function Verification({ token }: { readonly token: string }) {
  const callbackURL = useParameter('callbackURL')
  const [outcome, setOutcome] = useState<Outcome>()
  const target = { token, ...(callbackURL !== undefined && { callbackURL }) }
  const { data, error, refetch } = useQuery({
    queryKey: ['verification-link', token],
    queryFn: () => send('POST /verification-link', { body: target }).catch(failureOf),
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useGoOn(outcome ?? (data && 'end' in data ? data : undefined), callbackURL)
  if (error) return <Failure error={error} retry={() => void refetch()} />
  if (data && !('end' in data)) return <Steps link={data} target={target} onOutcome={setOutcome} />
  return (
    <div className="delayed">
      <Skeleton />
    </div>
  )
}

export function Screen() {
  const token = useToken()
  return token === undefined ? <NotVerified error="invalid_token" /> : <Verification token={token} />
}
