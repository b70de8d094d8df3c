/** The name and the configured fields of the current user. */
import { useState } from 'react'
import { refreshSession, type User, useSettings } from '../../api/calls.ts'
import { userPicture } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { CopyButton, Note } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, EmailTag, Facts, PageHead, Setting, Time } from '../../components/layout.tsx'
import { showToast } from '../../components/toast.tsx'
import { inputsOf, readChanges, UserFields } from '../../components/user-fields.tsx'
import { UsernameField, usernameErrors } from '../../components/username-field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, useSession } from '../../session/session.ts'
import { messages } from './index.ts'
import { PictureButtons } from './picture.tsx'

function Identity({ user }: { readonly user: User }) {
  const t = useMessages(messages)
  return (
    <Card className="px-4 pt-4 pb-2 card:px-5">
      <div className="mb-3 flex flex-wrap items-center gap-4">
        <Avatar name={user.name} picture={userPicture(user)} isLarge />
        <div className="min-w-0 grow basis-48 wrap-anywhere">
          <p className="line-clamp-3 text-16 font-semibold">
            <bdi>{user.name}</bdi>
          </p>
          <p className="flex flex-wrap items-center gap-x-2 text-13 text-muted">
            {user.email}
            <EmailTag isVerified={user.emailVerified} />
          </p>
        </div>
        <PictureButtons user={user} />
      </div>
      <Facts
        isNarrow
        facts={[
          [t('created'), <Time key="created" value={user.createdAt} style="date" />],
          [
            t('userId'),
            <span key="id" className="-ms-1 font-mono text-12">
              <CopyButton text={user.id} label={t('copyUserId')} isVisible />
            </span>,
          ],
        ]}
      />
    </Card>
  )
}

/** Password managers show the name of the account. */
async function reportName(): Promise<void> {
  const { reportAccount } = await import('../../browser/passkeys.ts')
  await reportAccount(() => call('GET /passkey/signal', {}))
}

export function Screen() {
  const t = useMessages(messages)
  const { user } = useSession()
  const settings = useSettings()
  const fields = settings.userFields.filter(({ isEditable }) => isEditable)
  const username = settings.username ? (user.displayUsername ?? user.username ?? '') : ''
  const before = inputsOf(fields, user)
  const [isSaved, setSaved] = useState(false)
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ profile }) => profile(fields)),
    defaults: { name: user.name, username, fields: before },
    fields: usernameErrors('username' as const),
    submit: async (values) => {
      setSaved(false)
      const changes = readChanges(fields, values.fields, before)
      const name = values.name === user.name ? {} : { name: values.name }
      const named = values.username === username ? {} : { username: values.username || null }
      await call('POST /update-user', { body: { ...changes, ...named, ...name } })
      await refreshSession()
      state.form.reset(values)
      setSaved(true)
      showToast(t('saved'))
      if (name.name !== undefined && settings.passkey) void reportName().catch(() => undefined)
    },
  })
  return (
    <>
      <PageHead title={t('profile')}>{t('profileLead')}</PageHead>
      <Setting title={t('account')} description={t('accountText')}>
        <Identity user={user} />
      </Setting>
      <Setting title={t('details')} description={t('detailsText')}>
        <Card className="px-4 py-5 card:px-5">
          <Form state={state} submitLabel={t('save')}>
            <TextField label={t('name')} autoComplete="name" dir="auto" {...state.field('name')} />
            {settings.username ? (
              <UsernameField text={state.form.watch('username')} current={user.username ?? null} {...state.field('username')} />
            ) : null}
            <UserFields state={state} member="fields" fields={fields} />
            {isSaved && !state.form.formState.isDirty ? (
              <Note tone="success" isLive>
                {t('saved')}
              </Note>
            ) : null}
          </Form>
        </Card>
      </Setting>
    </>
  )
}
