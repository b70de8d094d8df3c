/** What the recipient of an invitation sees of it, and how they respond to it. */
import { Form } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { Note } from '../../hosted/note.tsx'
import { pageURL, usePage, useParameter, userOf, useSettings } from '../../hosted/page.ts'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { messages } from './invitation-messages.ts'
import { useRoleList } from './role-names.ts'

/** As `GET /organization/get-invitation` responds. */
export interface Invitation {
  readonly id: string
  readonly organizationId: string
  readonly organizationName: string
  readonly inviterEmail: string
  readonly role: string | null
  readonly expiresAt: string
}

const limits = new Set(['ORGANIZATION_MEMBERSHIP_LIMIT_REACHED', 'TEAM_MEMBER_LIMIT_REACHED', 'TEAM_NOT_FOUND'])

export const path = '/accept-invitation'

/** This page, for callbackURL. */
export function useHere(): string {
  const { site } = usePage()
  return pageURL(site, path, { id: useParameter('id') })
}

export function Response({ id, organizationName, inviterEmail, role, expiresAt }: Invitation) {
  const t = useMessages(messages)
  const { page } = usePage()
  const { organization } = useSettings()
  const { format } = useLocale()
  const roleList = useRoleList()
  const user = userOf(page)
  const needsVerification = organization?.requiresVerifiedEmail === true && user?.emailVerified === false
  const isDeclining = useParameter('step') === 'decline'
  return (
    <Content
      title={
        isDeclining
          ? t('declineQuestion', { organization: organizationName })
          : t('joinOrganization', { organization: organizationName })
      }
      lead={isDeclining ? t('declineText') : t('invitedBy', { inviter: inviterEmail })}
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 rounded-card border border-border bg-surface px-4 py-3 text-14">
        <dt className="text-muted">{t('role')}</dt>
        <dd>{roleList(role)}</dd>
        <dt className="text-muted">{t('expires')}</dt>
        <dd>
          <time dateTime={expiresAt}>{format.dateTime(new Date(expiresAt))}</time>
        </dd>
      </dl>
      {needsVerification && user ? <VerifyFirst email={user.email} /> : <Answer id={id} organizationName={organizationName} />}
      <div className="text-14 text-muted">
        {t('signedInAs', { email: user?.email ?? '' })}
        <Form call="POST /sign-out" submitLabel={t('useAnotherAccount')} variant="ghost" />
      </div>
    </Content>
  )
}

function VerifyFirst({ email }: { readonly email: string }) {
  const t = useMessages(messages)
  const { site } = usePage()
  const { emailVerification } = useSettings()
  const back = useHere()
  return (
    <div className="grid gap-3">
      <Note tone="warning" title={t('verifyFirst')}>
        <p>{t('verifyFirstText', { email: email })}</p>
      </Note>
      {emailVerification ? (
        <Form
          call="POST /send-verification-email"
          hidden={{ email: email, callbackURL: pageURL(site, '/email-verified', { callbackURL: back }) }}
          submitLabel={t('sendVerification')}
        />
      ) : null}
    </div>
  )
}

function Answer({ id, organizationName }: Pick<Invitation, 'id' | 'organizationName'>) {
  const t = useMessages(messages)
  const { page } = usePage()
  const isDeclining = useParameter('step') === 'decline'
  const here = useHere()
  const code = page.failure?.code ?? ''
  const limit = limits.has(code) ? <p>{t('limitReached')}</p> : null
  const setUp =
    code === 'SECOND_FACTOR_REQUIRED' ? (
      <TextLink to="/account/security" search={{ callbackURL: here }} isInline>
        {t('setUpFactor')}
      </TextLink>
    ) : null
  return (
    <div className="grid gap-3">
      {isDeclining ? (
        <Form
          call="POST /organization/reject-invitation"
          hidden={{ invitationId: id, 'latchkey:organization': organizationName }}
          submitLabel={t('declineInvitation')}
          variant="danger-filled"
        />
      ) : (
        <Form
          call="POST /organization/accept-invitation"
          hidden={{ invitationId: id }}
          submitLabel={t('accept')}
          errorDetail={setUp ?? limit}
        />
      )}
      <ButtonLink to={path} search={{ id, step: isDeclining ? undefined : 'decline' }}>
        {isDeclining ? t('back') : t('decline')}
      </ButtonLink>
    </div>
  )
}
