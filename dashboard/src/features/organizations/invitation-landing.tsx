/**
 * The page on which the link of an invitation ends. The ID in its address is not a credential: who invites, and to what, is shown only
 * to the recipient, signed in.
 */
import { useMutation, useQuery } from '@tanstack/react-query'
import { ClientError, hasCode, pageURL, refreshSession, send, sessionQuery, type User, useSettings } from '../../api.ts'
import { Button, ButtonLink, TextLink } from '../../components/button.tsx'
import { ErrorNote, LoadError, Skeleton } from '../../components/feedback.tsx'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { useParameter } from '../../router-hooks.ts'
import { signOut } from '../../session.ts'
import { canSignUp } from '../../settings.ts'
import { messages } from './invitation-messages.ts'
import { InvitationResponse } from './invitation-response.tsx'

/** The codes of invitations that cannot be accepted any more. A text that cannot be an ID is as unknown as another one. */
const unusable = [
  'INVITATION_NOT_FOUND',
  'ORGANIZATION_NOT_FOUND',
  'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION',
  'VALIDATION_ERROR',
]

const readInvitation = (id: string) =>
  send('GET /organization/get-invitation', { query: { id } }).catch(async (error: unknown) => {
    // The session has ended: the page becomes that of a visitor.
    if (error instanceof ClientError && error.status === 401) await refreshSession()
    throw error
  })
export type ShownInvitation = Awaited<ReturnType<typeof readInvitation>>

/** This page, for callbackURL. */
const landingURL = (id: string) => pageURL('/accept-invitation', { id })

function SignedOut({ id }: { readonly id: string }) {
  const t = useMessages(messages)
  const settings = useSettings()
  const search = { callbackURL: landingURL(id) }
  return (
    <HostedPage title={t('invitationWaits')} lead={t('signInToSee', { appName: settings.appName })}>
      <div className="grid gap-3">
        <ButtonLink to="/sign-in" search={search} variant="primary" size="large">
          {t('signIn')}
        </ButtonLink>
        {canSignUp(settings) ? (
          <ButtonLink to="/sign-up" search={search} size="large">
            {t('createAccount')}
          </ButtonLink>
        ) : null}
      </div>
      <HostedAlternative>{t('useInvitedAddress')}</HostedAlternative>
    </HostedPage>
  )
}

/** One page for expired, used, canceled and unknown ones: the difference is nothing for others to know. */
function Unusable({ user }: { readonly user?: User }) {
  const t = useMessages(messages)
  return (
    <HostedPage title={t('unusable')} lead={t('unusableLead')}>
      <p className="text-muted">{t('unusableText')}</p>
      {user ? (
        <>
          <ButtonLink to="/organizations" variant="primary" size="large">
            {t('goToOrganizations')}
          </ButtonLink>
          <HostedAlternative>{t('signedInAs', { email: user.email })}</HostedAlternative>
        </>
      ) : (
        <ButtonLink to="/sign-in" search={{ callbackURL: pageURL('/organizations') }} variant="primary" size="large">
          {t('signIn')}
        </ButtonLink>
      )}
    </HostedPage>
  )
}

function AnotherUser({ id, user }: { readonly id: string; readonly user: User }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const change = useMutation({ mutationFn: () => signOut(landingURL(id)) })
  return (
    <HostedPage title={t('otherRecipient')} lead={t('otherRecipientLead', { email: user.email })}>
      <p className="text-muted">{t('otherRecipientText')}</p>
      {change.error ? <ErrorNote error={change.error} /> : null}
      <Button variant="primary" size="large" isBusy={change.isPending || change.isSuccess} onClick={() => change.mutate()}>
        {t('useAnotherAccount')}
      </Button>
      <HostedAlternative>
        <TextLink to="/account">{frame('continueToAccount')}</TextLink>
      </HostedAlternative>
    </HostedPage>
  )
}

function Invitation({ id, user }: { readonly id: string; readonly user: User }) {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', user.id, id],
    queryFn: () => readInvitation(id),
    // What is shown after it was accepted or declined does not change.
    refetchOnWindowFocus: false,
  })
  if (error && hasCode(error, 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION')) return <AnotherUser id={id} user={user} />
  if (error instanceof ClientError && unusable.includes(error.code)) return <Unusable user={user} />
  if (data) return <InvitationResponse invitation={data} user={user} here={landingURL(id)} onChanged={() => void refetch()} />
  if (error) return <LoadError heading="h1" error={error} retry={() => void refetch()} />
  return (
    <div className="delayed">
      <HostedPage title={t('invitation')}>
        <Skeleton />
      </HostedPage>
    </div>
  )
}

export function Screen() {
  const id = useParameter('id')
  const { data: session, error, refetch } = useQuery({ ...sessionQuery, retry: false })
  if (session === undefined && error) return <LoadError heading="h1" error={error} retry={() => void refetch()} />
  if (id === undefined) return session ? <Unusable user={session.user} /> : <Unusable />
  return session ? <Invitation key={session.user.id} id={id} user={session.user} /> : <SignedOut id={id} />
}
