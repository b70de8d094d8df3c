import { invited } from '../../hosted/admission.tsx'
import { Form } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { FailureNote } from '../../hosted/note.tsx'
import {
  type FormDeclaration,
  hostedPage,
  pagePath,
  readToken,
  tokenOf,
  usePage,
  userOf,
  useSettings,
} from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './messages.ts'

const path = '/join'

/** As `POST /invite-link/preview` responds. */
interface Preview {
  readonly organization: { readonly name: string } | null
}

const forms: readonly FormDeclaration[] = [
  {
    call: 'POST /invite-link/open',
    next: (_result, { parameters: { callbackURL } }) => ({ page: '/sign-up', parameters: { callbackURL }, keep: invited }),
  },
  {
    call: 'POST /invite-link/accept',
    next: ({ organizationId }: { readonly organizationId: string }) => ({ page: `/organizations/${organizationId}` }),
  },
  { call: 'POST /sign-out', next: (_result, { parameters }) => ({ page: path, parameters }) },
]

export const joinPage = hostedPage({
  path,
  messages,
  title: 'invite',
  access: 'optional-session',
  exists: ({ inviteLinks }) => inviteLinks,
  keeps: ['token'],
  read: readToken('POST /invite-link/preview'),
  forms,
  View: Join,
})

function Join() {
  const { page } = usePage()
  const user = userOf(page)
  const preview = page.data as Preview | null
  const token = tokenOf(page)
  if (!preview || token === undefined) return <Unusable />
  if (!user) return <Visitor organization={preview.organization?.name} token={token} />
  return <SignedIn organization={preview.organization?.name} token={token} email={user.email} />
}

interface LinkProps {
  readonly organization: string | undefined
  readonly token: string
}

function Visitor({ organization, token }: LinkProps) {
  const t = useMessages(messages)
  const { site, page } = usePage()
  const { appName } = useSettings()
  const title = organization === undefined ? t('inviteTitle', { appName }) : t('inviteToOrganization', { organization })
  // Signed in, the page offers to join; the token is kept for it.
  const callbackURL = pagePath(site, path, page.parameters)
  return (
    <Content title={title} lead={t('inviteLead')}>
      <Form call="POST /invite-link/open" hidden={{ token }} submitLabel={t('createAccount')} />
      <Alternative>
        {t('haveAccount')}{' '}
        <TextLink to="/sign-in" search={organization === undefined ? {} : { callbackURL }}>
          {t('signIn')}
        </TextLink>
      </Alternative>
    </Content>
  )
}

function SignedIn({ organization, token, email }: LinkProps & { readonly email: string }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { appName } = useSettings()
  const title = organization === undefined ? t('inviteTitle', { appName }) : t('inviteToOrganization', { organization })
  const lead = organization === undefined ? t('alreadySignedIn', { email }) : t('joinLead', { organization, email })
  return (
    <Content title={title} lead={lead}>
      {organization === undefined ? null : (
        <Form call="POST /invite-link/accept" hidden={{ token }} submitLabel={t('join', { organization })} />
      )}
      <Form call="POST /sign-out" submitLabel={t('useAnotherAccount')} variant="secondary" />
      <Alternative>
        <TextLink to="/account">{frame('continueToAccount')}</TextLink>
      </Alternative>
    </Content>
  )
}

/** One page for expired, used and revoked links, and for unknown ones. */
function Unusable() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { page } = usePage()
  const { failure } = page
  return (
    <Content title={t('unusable')} lead={t('unusableLead')}>
      {failure && failure.code !== 'INVITE_LINK_NOT_FOUND' ? <FailureNote failure={failure} /> : null}
      {userOf(page) ? (
        <ButtonLink to="/account" variant="primary">
          {frame('continueToAccount')}
        </ButtonLink>
      ) : (
        <ButtonLink to="/sign-in" search={{}} variant="primary">
          {t('signIn')}
        </ButtonLink>
      )}
    </Content>
  )
}
