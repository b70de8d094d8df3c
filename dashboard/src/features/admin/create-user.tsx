/** The form for a new user, who gets a link to set a password, or a password. */
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ClientError, useSettings } from '../../api/calls.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { NewPasswordField, newPasswordErrors } from '../../components/new-password-field.tsx'
import { showToast } from '../../components/toast.tsx'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call } from '../../session/session.ts'
import { refreshAdmin } from './data.ts'
import { messages as listMessages, userMessages as messages } from './index.ts'
import { userPath } from './user-menu.tsx'
import { RoleChoice } from './user-parts.tsx'

export const Screen = () => (useIsPermitted()('user', 'create') ? <CreateUser /> : <NotPermitted />)

interface Choices {
  readonly usesPassword: boolean
  readonly roles: readonly string[]
}

/** The form, and why the sign-up policy has rejected what was sent last. */
function useNewUser({ usesPassword, roles }: Choices) {
  const t = useMessages(messages)
  const list = useMessages(listMessages)
  const navigate = useNavigate()
  const { emailPassword } = useSettings()
  const [rejection, setRejection] = useState<Rejection | null>(null)
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ newUser }) => newUser(usesPassword ? emailPassword : null)),
    defaults: { name: '', email: '', emailVerified: false, overrideSignUpPolicy: false, password: '' },
    fields: { USER_ALREADY_EXISTS: 'email', INVALID_EMAIL: 'email', ...newPasswordErrors('password' as const) },
    onError: (error) => {
      const found = rejectionOf(error)
      setRejection(found)
      return found !== null
    },
    submit: async ({ name, email, emailVerified, overrideSignUpPolicy, password }) => {
      const data = emailVerified ? { data: { emailVerified } } : {}
      const role = roles.length > 0 ? { role: [...roles] } : {}
      const body = {
        name,
        email: email.trim(),
        ...role,
        ...data,
        ...(usesPassword && { password }),
        ...(overrideSignUpPolicy && { overrideSignUpPolicy }),
      }
      const { user } = await call('POST /admin/create-user', { body })
      await refreshAdmin()
      // The user exists now: a failure is said on their page, where the link can be sent again.
      const isSent = usesPassword || (await sendLink(user.id))
      showToast(isSent ? list('userCreated', { name }) : t('createdButNotSent'))
      await navigate({ to: userPath(user.id) as string })
    },
  })
  return { state, rejection }
}

function CreateUser() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const isPermitted = useIsPermitted()
  const { admin, emailPassword } = useSettings()
  const [roles, setRoles] = useState<readonly string[]>([])
  const mayReset = isPermitted('user', 'set-password')
  const [way, setWay] = useState<'link' | 'password'>(mayReset ? 'link' : 'password')
  const usesPassword = way === 'password' && emailPassword !== null
  const { state, rejection } = useNewUser({ usesPassword, roles })
  return (
    <>
      <PageHead title={t('createUser')}>{t('createLead')}</PageHead>
      <Card className="max-w-160 px-4 py-5 card:px-5">
        <Form
          state={state}
          submitLabel={t('createUser')}
          actions={<ButtonLink to={'/admin/users' as string}>{frame('cancel')}</ButtonLink>}
        >
          <TextField label={t('name')} autoComplete="off" dir="auto" {...state.field('name')} />
          <TextField label={t('email')} type="email" autoComplete="off" {...state.field('email')} />
          <Checkbox label={t('emailIsVerified')} {...state.field('emailVerified')} />
          {rejection ? (
            <PolicyNote rejection={rejection}>
              <Checkbox label={t('overridePolicy')} {...state.field('overrideSignUpPolicy')} />
            </PolicyNote>
          ) : null}
          {mayReset && emailPassword && admin?.setsPasswords ? (
            <SelectField
              label={t('howToSignIn')}
              value={way}
              options={[
                { value: 'link', label: t('byLink') },
                { value: 'password', label: t('byPassword') },
              ]}
              onChange={(event) => setWay(event.target.value === 'password' ? 'password' : 'link')}
            />
          ) : null}
          {usesPassword ? <NewPasswordField label={t('password')} {...state.field('password')} /> : null}
          {isPermitted('user', 'set-role') ? <RoleChoice chosen={roles} onChange={setRoles} /> : null}
        </Form>
      </Card>
    </>
  )
}

interface Rejection {
  readonly reason: string
  /** The option of the configuration. */
  readonly setting: string
}

/** Why the sign-up policy rejects the user; null for another error. */
function rejectionOf(error: unknown): Rejection | null {
  if (!(error instanceof ClientError) || error.code !== 'SIGN_UP_NOT_ALLOWED') return null
  const { reason, setting } = Object(error.details)
  return { reason: String(reason), setting: String(setting) }
}

function PolicyNote({
  rejection: { reason, setting },
  children,
}: {
  readonly rejection: Rejection
  readonly children: ReactNode
}) {
  const t = useMessages(messages)
  return (
    <Note tone="warning" title={t('policyRejects')} isLive>
      <p className="mb-2">{t('policyReason', { reason, setting })}</p>
      {children}
    </Note>
  )
}

/** @returns false when the link could not be sent */
const sendLink = (userId: string): Promise<boolean> =>
  call('POST /admin/send-password-reset', { body: { userId } }).then(
    () => true,
    () => false,
  )
