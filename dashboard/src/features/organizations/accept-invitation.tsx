/**
 * The page on which the link of an invitation ends. The ID in its address is not a credential: who invites, and to what, is shown only
 * to the recipient, signed in.
 */
import type { PublicSettings } from '../../../../src/features/index.ts'
import { canSignUp } from '../../api/settings.ts'
import { Form } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { FailureNote } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, pageURL, usePage, useParameter, userOf, useSettings } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './invitation-messages.ts'
import { type Invitation, path, Response, useHere } from './invitation-response.tsx'

/** Invitations that cannot be accepted any more. A text that cannot be an ID is as unknown as another one. */
const unusable = new Set([
  'INVITATION_NOT_FOUND',
  'ORGANIZATION_NOT_FOUND',
  'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION',
  'VALIDATION_ERROR',
])

const here: FormDeclaration['next'] = (_result, { parameters }) => ({ page: path, parameters })

const forms: readonly FormDeclaration[] = [
  {
    call: 'POST /organization/accept-invitation',
    next: ({ invitation }: { readonly invitation: { readonly organizationId: string } }) => ({
      page: `/organizations/${invitation.organizationId}`,
    }),
  },
  {
    call: 'POST /organization/reject-invitation',
    next: (_result, { parameters }, { organizationName = '' }) => ({
      page: path,
      parameters: { ...parameters, step: 'declined' },
      keep: { organizationName },
    }),
  },
  {
    call: 'POST /send-verification-email',
    next: (_result, _page, { email = '', 'latchkey:page': back }) => ({
      page: '/check-email',
      parameters: { reason: 'verify', callbackURL: back },
      keep: { email },
    }),
    // It was verified in another window.
    onError: (code, page) =>
      code === 'YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL'
        ? { page: path, parameters: page.parameters }
        : null,
  },
  { call: 'POST /sign-out', next: here },
]

export const acceptInvitation = hostedPage({
  path,
  messages,
  title: 'invitation',
  access: 'optional-session',
  exists: ({ organization }: PublicSettings) => organization !== null,
  read: ({ parameters, session }) =>
    session && parameters.id && parameters.step !== 'declined'
      ? { call: 'GET /organization/get-invitation', input: { id: parameters.id } }
      : null,
  forms,
  View: AcceptInvitation,
})

function AcceptInvitation() {
  const t = useMessages(messages)
  const { page } = usePage()
  const user = userOf(page)
  const id = useParameter('id')
  const invitation = page.data as Invitation | null
  const code = page.failure?.code ?? ''
  const isDeclined = useParameter('step') === 'declined'
  if (id !== undefined && !user) return <Visitor />
  if (isDeclined && user) return <Declined />
  if (invitation) return <Response {...invitation} />
  if (code === 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION') return <AnotherUser />
  if (id === undefined || unusable.has(code)) return <Unusable />
  return <Content title={t('invitation')}>{page.failure ? <FailureNote failure={page.failure} /> : null}</Content>
}

function Visitor() {
  const t = useMessages(messages)
  const settings = useSettings()
  const search = { callbackURL: useHere() }
  return (
    <Content title={t('invitationWaits')} lead={t('signInToSee', { appName: settings.appName })}>
      <div className="grid gap-3">
        <ButtonLink to="/sign-in" search={search} variant="primary">
          {t('signIn')}
        </ButtonLink>
        {canSignUp(settings) ? (
          <ButtonLink to="/sign-up" search={search}>
            {t('createAccount')}
          </ButtonLink>
        ) : null}
      </div>
      <Alternative>{t('useInvitedAddress')}</Alternative>
    </Content>
  )
}

/** One page for expired, used, canceled and unknown ones: the difference is nothing for others to know. */
function Unusable() {
  const t = useMessages(messages)
  const { site, page } = usePage()
  const user = userOf(page)
  return (
    <Content title={t('unusable')} lead={t('unusableLead')}>
      <p className="text-muted">{t('unusableText')}</p>
      {user ? (
        <>
          <ButtonLink to="/organizations" variant="primary">
            {t('goToOrganizations')}
          </ButtonLink>
          <Alternative>{t('signedInAs', { email: user.email })}</Alternative>
        </>
      ) : (
        <ButtonLink to="/sign-in" search={{ callbackURL: pageURL(site, '/organizations') }} variant="primary">
          {t('signIn')}
        </ButtonLink>
      )}
    </Content>
  )
}

function Declined() {
  const t = useMessages(messages)
  const { page } = usePage()
  return (
    <Content title={t('declined')} lead={t('declinedLead', { organization: page.kept.organizationName ?? '' })}>
      <ButtonLink to="/organizations">{t('goToOrganizations')}</ButtonLink>
    </Content>
  )
}

function AnotherUser() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { page } = usePage()
  return (
    <Content title={t('otherRecipient')} lead={t('otherRecipientLead', { email: userOf(page)?.email ?? '' })}>
      <p className="text-muted">{t('otherRecipientText')}</p>
      <Form call="POST /sign-out" submitLabel={t('useAnotherAccount')} />
      <Alternative>
        <TextLink to="/account">{frame('continueToAccount')}</TextLink>
      </Alternative>
    </Content>
  )
}
