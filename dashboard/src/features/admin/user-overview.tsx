/** The profile of a user, and what cannot be undone. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { differencesOf } from '../../components/difference.ts'
import { Differences } from '../../components/differences.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, EmailTag, Facts, Line, Lines, Section, Time } from '../../components/layout.tsx'
import { Bar } from '../../components/skeleton.tsx'
import { inputsOf, readChanges, type UserFieldInputs, UserFields } from '../../components/user-fields.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call, useSession } from '../../session/session.ts'
import { accountsQuery, isBanned, type ListedUser, refreshAdmin } from './data.ts'
import { useProviderName } from './filters.tsx'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'
import { RecentActivity } from './user-activity.tsx'
import { FirstOrganizations, NewestSessions } from './user-belongings.tsx'
import { useAllowed } from './user-menu.tsx'
import { RoleTags } from './user-parts.tsx'

export type OneUser = ListedUser

export function UserOverview({ user, onChoose, onDone, focusAfter }: PartProps) {
  const t = useMessages(messages)
  const isPermitted = useIsPermitted()
  const mayUpdate = isPermitted('user', 'update')
  const hasActivity = isPermitted('event', 'list')
  const identifiers = useIdentifiers(user)
  const [isEditing, setEditing] = useState(false)
  return (
    <div
      className={clsx(
        hasActivity && 'columns:grid columns:grid-cols-[minmax(0,1fr)_16rem] columns:grid-rows-[auto_1fr] columns:gap-x-8',
      )}
    >
      <div>
        <Section
          title={t('profile')}
          actions={
            mayUpdate ? (
              <Button onClick={() => setEditing(true)}>
                <Pencil aria-hidden className="size-4" />
                {t('editProfile')}
              </Button>
            ) : null
          }
        >
          <Card className="px-4 pt-2 pb-2 card:px-5">
            <Facts
              facts={[
                [t('name'), <bdi key="name">{user.name}</bdi>],
                [t('email'), <bdi key="email">{user.email}</bdi>],
                ...identifiers,
                [t('methods'), <MethodNames key="methods" user={user} />],
                [t('role'), <RoleTags key="role" role={user.role} />],
                [t('created'), <Time key="created" value={user.createdAt} style="dateTime" />],
                [
                  t('lastSignIn'),
                  user.lastSignInAt ? <Time key="signIn" value={user.lastSignInAt} style="dateTime" /> : t('never'),
                ],
                [t('changed'), <Time key="changed" value={user.updatedAt} style="dateTime" />],
              ]}
            />
          </Card>
          {mayUpdate && !user.emailVerified ? <Verification user={user} onDone={onDone} /> : null}
        </Section>
        <NewestSessions user={user} onChoose={onChoose} onDone={onDone} focusAfter={focusAfter} />
        <FirstOrganizations user={user} />
      </div>
      {hasActivity ? (
        <div className="mt-8 columns:col-start-2 columns:row-span-2 columns:row-start-1 columns:mt-0 columns:border-s columns:border-border columns:ps-6">
          <RecentActivity user={user} />
        </div>
      ) : null}
      <DangerZone user={user} onChoose={onChoose} />
      {isEditing ? <EditDialog user={user} onClose={() => setEditing(false)} onDone={onDone} /> : null}
    </div>
  )
}

function MethodNames({ user }: Pick<PartProps, 'user'>) {
  const t = useMessages(messages)
  const name = useProviderName()
  const { data } = useQuery(accountsQuery(user.id))
  if (!data) return <Bar />
  return data.length === 0 ? t('noMethods') : data.map(({ providerId }) => name(providerId)).join(', ')
}

/** The username and phone number, if the configuration has them. */
function useIdentifiers({ username, displayUsername, phoneNumber, phoneNumberVerified }: OneUser) {
  const t = useMessages(messages)
  const settings = useSettings()
  const number = (
    <span key="phone" className="flex flex-wrap items-center gap-2">
      <bdi>{phoneNumber ?? t('notSet')}</bdi>
      {phoneNumber ? <EmailTag isVerified={phoneNumberVerified === true} /> : null}
    </span>
  )
  return [
    ...(settings.username
      ? [[t('username'), <bdi key="username">{displayUsername ?? username ?? t('notSet')}</bdi>] as const]
      : []),
    ...(settings.phoneNumber ? [[t('phoneNumber'), number] as const] : []),
  ]
}

/** Of an email address that is not verified. */
function Verification({ user, onDone }: Pick<PartProps, 'user' | 'onDone'>) {
  const t = useMessages(messages)
  const body = { userId: user.id }
  const sending = useMutation({
    mutationFn: () => call('POST /admin/send-verification-email', { body }),
    onSuccess: () => onDone(t('verificationSent', { email: user.email })),
  })
  const verifying = useMutation({
    mutationFn: () => call('POST /admin/update-user', { body: { ...body, data: { emailVerified: true } } }),
    onSuccess: async () => {
      onDone(t('emailVerified'))
      await refreshAdmin()
    },
  })
  const error = sending.error ?? verifying.error
  return (
    <div className="mt-3 grid gap-3">
      {error ? <ErrorNote error={error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button isBusy={sending.isPending} onClick={() => sending.mutate()}>
          {t('sendVerification')}
        </Button>
        <Button isBusy={verifying.isPending} onClick={() => verifying.mutate()}>
          {t('verifyEmail')}
        </Button>
      </div>
    </div>
  )
}

/** Those that are set, before and after: an emptied field is removed. */
const changedInputs = (before: UserFieldInputs, after: UserFieldInputs) =>
  [before, after].map((inputs) => Object.fromEntries(Object.entries(inputs).filter(([, input]) => input !== ''))) as unknown as [
    UserFieldInputs,
    UserFieldInputs,
  ]

interface EditProps extends Pick<PartProps, 'user' | 'onDone'> {
  readonly onClose: () => void
}

function EditDialog({ user, onClose, onDone }: EditProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const fields = useSettings().userFields
  const before = inputsOf(fields, user)
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ userByAdministrator }) => userByAdministrator(fields)),
    defaults: { name: user.name, email: user.email, emailVerified: user.emailVerified, fields: before },
    fields: { USER_ALREADY_EXISTS: 'email', INVALID_EMAIL: 'email' },
    submit: async ({ name, email, emailVerified, fields: inputs }) => {
      const data = {
        ...readChanges(fields, inputs, before),
        ...(name !== user.name && { name }),
        ...(email.trim().toLowerCase() !== user.email && { email: email.trim() }),
        ...(emailVerified !== user.emailVerified && { emailVerified }),
      }
      if (Object.keys(data).length > 0) await call('POST /admin/update-user', { body: { userId: user.id, data } })
      await refreshAdmin()
      onClose()
      onDone(t('profileSaved'))
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title={t('editProfile')}>
      <Form state={state} submitLabel={t('save')} actions={<Button onClick={onClose}>{frame('cancel')}</Button>}>
        <TextField label={t('name')} autoComplete="off" dir="auto" {...state.field('name')} />
        <TextField label={t('email')} type="email" autoComplete="off" {...state.field('email')} />
        <Checkbox label={t('emailIsVerified')} {...state.field('emailVerified')} />
        <UserFields state={state} member="fields" fields={fields} />
        <Differences differences={differencesOf(...changedInputs(before, state.form.watch('fields')))} />
      </Form>
    </Dialog>
  )
}

function DangerZone({ user, onChoose }: Pick<PartProps, 'user' | 'onChoose'>) {
  const t = useMessages(messages)
  const allows = useAllowed()
  const isOwn = useSession().user.id === user.id
  if (isOwn || !(['lock', 'ban', 'delete'] as const).some(allows)) return null
  const lock = user.lockedAt
    ? ({ kind: 'unlock', title: t('unlockLine'), text: t('unlockLineText') } as const)
    : ({ kind: 'lock', title: t('lockLine'), text: t('lockLineText') } as const)
  const ban = isBanned(user)
    ? ({ kind: 'unban', title: t('unbanLine'), text: t('unbanLineText') } as const)
    : ({ kind: 'ban', title: t('banLine'), text: t('banLineText') } as const)
  const lines = [lock, ban, { kind: 'delete', title: t('deleteLine'), text: t('deleteLineText') } as const]
  return (
    <Section title={t('dangerZone')} isDanger>
      <Card>
        <Lines>
          {lines.map(({ kind, title, text }) =>
            allows(kind) ? (
              <Line
                key={kind}
                title={title}
                action={
                  <Button variant={kind === 'unban' || kind === 'unlock' ? 'secondary' : 'danger'} onClick={() => onChoose(kind)}>
                    {title}
                  </Button>
                }
              >
                {text}
              </Line>
            ) : null,
          )}
        </Lines>
      </Card>
    </Section>
  )
}
