/** Creates an invite link, then shows it once. */

import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CodeBlock, Note } from '../../components/feedback.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { rolesQuery } from '../../session/roles.ts'
import { call } from '../../session/session.ts'
import { refreshLinks } from './data.ts'
import { screenMessages } from './screen-messages.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: (text: string) => void
}

/** A component of its own for each opening, so that a link that was shown is not kept. */
export function CreateLinkDialog({ isOpen, onClose, onDone }: Props) {
  const t = useMessages(screenMessages)
  const [url, setURL] = useState<string>()
  if (url === undefined)
    return (
      <Dialog isOpen={isOpen} onClose={onClose} title={t('createLink')}>
        <CreateForm onClose={onClose} onCreated={setURL} />
      </Dialog>
    )
  const close = () => {
    onClose()
    onDone(t('linkCreated'))
  }
  return (
    // Only the button closes it: a click outside of it would lose the link.
    <Dialog
      isOpen={isOpen}
      onClose={() => undefined}
      title={t('newLink')}
      actions={
        <Button variant="primary" onClick={close}>
          {t('done')}
        </Button>
      }
    >
      <Note tone="warning" isLive>
        <p>{t('copyNow')}</p>
      </Note>
      <CodeBlock code={url} label={t('link')} copyLabel={t('copyLink')} />
    </Dialog>
  )
}

interface FormProps {
  readonly onClose: () => void
  readonly onCreated: (url: string) => void
}

/** Users of one link. */
const most = 100_000
const lifetimes = [1, 7, 30, 90]
const secondsPerDay = 86_400

function CreateForm({ onClose, onCreated }: FormProps) {
  const t = useMessages(screenMessages)
  const frame = useFrameMessages()
  const isPermitted = useIsPermitted()
  const hasOrganizations = useSettings().organization !== null && isPermitted('organization', 'list')
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ newInviteLink }) => newInviteLink),
    defaults: { label: '', maxUses: '1', days: '7', role: '', organization: '' },
    fields: { ORGANIZATION_NOT_FOUND: 'organization' },
    submit: async ({ label, maxUses, days, role, organization }) => {
      const organizationId = organization.trim() === '' ? undefined : await findOrganization(organization.trim())
      const { url } = await call('POST /admin/create-invite-link', {
        body: {
          ...{ maxUses: Number(maxUses), expiresIn: Number(days) * secondsPerDay },
          ...(label.trim() !== '' && { label: label.trim() }),
          ...(role !== '' && { role }),
          ...(organizationId !== undefined && { organizationId }),
        },
      })
      onCreated(url)
      await refreshLinks()
    },
  })
  return (
    <Form state={state} submitLabel={t('createLink')} actions={<Button onClick={onClose}>{frame('cancel')}</Button>}>
      <TextField label={t('label')} hint={t('labelHint')} autoComplete="off" dir="auto" isOptional {...state.field('label')} />
      <TextField
        label={t('uses')}
        hint={t('usesHint', { most })}
        inputMode="numeric"
        autoComplete="off"
        {...state.field('maxUses')}
      />
      <SelectField
        label={t('expires')}
        options={lifetimes.map((count) => ({ value: String(count), label: t('inDays', { count }) }))}
        {...state.field('days')}
      />
      {isPermitted('user', 'set-role') ? <RoleField {...state.field('role')} /> : null}
      {hasOrganizations ? (
        <TextField
          label={t('organization')}
          hint={t('organizationHint')}
          autoComplete="off"
          autoCapitalize="none"
          isOptional
          {...state.field('organization')}
        />
      ) : null}
    </Form>
  )
}

function RoleField(field: Omit<ComponentProps<typeof SelectField>, 'label' | 'options'>) {
  const t = useMessages(screenMessages)
  const { data } = useQuery(rolesQuery)
  const options = (data?.roles ?? []).map(({ role }) => ({ value: role, label: role }))
  return <SelectField label={t('role')} options={[{ value: '', label: t('defaultRole') }, ...options]} {...field} />
}

/** The ID of the organization with this slug; an unknown one is for the API to reject. */
async function findOrganization(slug: string): Promise<string> {
  const { organizations } = await call('GET /admin/list-organizations', { query: { search: slug, limit: 20 } })
  return organizations.find((organization) => organization.slug.toLowerCase() === slug.toLowerCase())?.id ?? slug.slice(0, 36)
}
