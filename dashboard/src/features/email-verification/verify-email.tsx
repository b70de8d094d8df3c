/** The page of verification links. It uses the link with a POST when it appears, and goes on to the target of the link. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { withParameter } from '../../../../src/lib/url.ts'
import { ClientError, pageURL, send } from '../../api.ts'
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

/** The pages on which links end without a target. */
const ends = ['/email-verified', '/email-changed'] as const

interface Outcome {
  readonly end: (typeof ends)[number]
  /** Parameters for the target. */
  readonly error?: string
  readonly pending?: string
}

async function verify(token: string, callbackURL: string | undefined): Promise<Outcome> {
  try {
    const body = callbackURL === undefined ? { token } : { token, callbackURL }
    const { user, isPending } = await send('POST /verify-email', { body })
    return { end: user ? '/email-changed' : '/email-verified', ...(isPending && { pending: 'true' }) }
  } catch (error) {
    // The failures of links are 401. Redirects have their codes in lower case.
    if (!(error instanceof ClientError) || error.status !== 401) throw error
    return { end: '/email-verified', error: error.code.toLowerCase() }
  }
}

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
  const t = useMessages(messages)
  const callbackURL = useParameter('callbackURL')
  const { data, error, refetch } = useQuery({
    queryKey: ['verify-email', token],
    queryFn: () => verify(token, callbackURL),
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useGoOn(data, callbackURL)
  if (error) return <Failure error={error} retry={() => void refetch()} />
  return (
    <div className="delayed">
      <HostedPage title={t('verifying')}>
        <Skeleton />
      </HostedPage>
    </div>
  )
}

export function Screen() {
  const token = useToken()
  return token === undefined ? <NotVerified error="invalid_token" /> : <Verification token={token} />
}
