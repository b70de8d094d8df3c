/** A new organization: its name, and the slug that is suggested for it. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasCode, queryClient, refreshSession, useSettings } from '../../api/calls.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { organizationPath } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { messages } from './messages.ts'
import { suggestSlug } from './slug.ts'
import { SlugField } from './slug-field.tsx'

const schema = () => import('./schemas.ts').then(({ organization }) => organization)

export function Screen() {
  const t = useMessages(messages)
  const { organization } = useSettings()
  return (
    <>
      <PageHead title={t('createOrganization')}>{t('createLead')}</PageHead>
      <NotWhileImpersonating>
        {organization?.canCreate ? <CreationForm /> : <Note>{t('cannotCreate')}</Note>}
      </NotWhileImpersonating>
    </>
  )
}

/** Nothing on this page helps: the account may not have another organization. */
const isFinal = (error: unknown) =>
  hasCode(error, 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION') ||
  hasCode(error, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS')

function CreationForm() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const navigate = useNavigate()
  const [isSuggested, setSuggested] = useState(true)
  const [refusal, setRefusal] = useState<unknown>()
  const state = useApiForm({
    schema,
    defaults: { name: '', slug: '' },
    fields: { ORGANIZATION_ALREADY_EXISTS: 'slug' },
    submit: async (values) => {
      const { id } = await call('POST /organization/create', { body: values })
      await Promise.all([refreshSession(), queryClient.invalidateQueries({ queryKey: ['memberships'] })])
      await navigate({ to: organizationPath(id) as string })
    },
    onError: (error) => {
      if (isFinal(error)) setRefusal(error)
      return isFinal(error)
    },
  })
  const { form } = state
  const [name, slug] = [state.field('name'), state.field('slug')]
  if (refusal) {
    return (
      <div className="grid max-w-160 justify-items-start gap-4">
        <ErrorNote error={refusal} />
        <ButtonLink to="/organizations">{t('allOrganizations')}</ButtonLink>
      </div>
    )
  }
  return (
    <Card className="max-w-160 px-4 py-5 card:px-5">
      <Form
        state={state}
        submitLabel={t('createOrganization')}
        actions={<ButtonLink to="/organizations">{frame('cancel')}</ButtonLink>}
      >
        <TextField
          label={t('name')}
          autoComplete="organization"
          dir="auto"
          maxLength={255}
          {...name}
          {...form.register('name', {
            onChange: ({ target }) => {
              if (isSuggested) form.setValue('slug', suggestSlug(target.value), { shouldValidate: form.formState.isSubmitted })
            },
          })}
        />
        <SlugField
          {...slug}
          {...form.register('slug', { onChange: ({ target }) => setSuggested(target.value === '') })}
          text={form.watch('slug')}
          hint={t('slugHint')}
        />
      </Form>
    </Card>
  )
}
