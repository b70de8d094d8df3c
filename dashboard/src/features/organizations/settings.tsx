/** The settings of an organization, and how to leave or delete it. */
import { lazy, Suspense, useState } from 'react'
import { isRecord } from '../../../../src/lib/objects.ts'
import { queryClient, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { type Difference, differencesOf } from '../../components/difference.ts'
import { Differences } from '../../components/differences.tsx'
import { Note, Skeleton } from '../../components/feedback.tsx'
import { TextArea, TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, Line, Lines, PageHead, Section, Setting } from '../../components/layout.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { refreshOrganization, useOrganization } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { useHasOneCreator } from './data.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { LeaveThisDialog } from './leave-dialog.tsx'
import { messages } from './messages.ts'
import { NotPermitted } from './not-permitted.tsx'
import { SlugField } from './slug-field.tsx'

/** Only where the configuration permits policies. */
const PolicySettings = lazy(async () => {
  const [{ PolicySettings }, { messages: texts }] = await Promise.all([
    import('./policy-settings.tsx'),
    import('./policy-messages.ts'),
  ])
  await texts.load(document.documentElement.lang)
  return { default: PolicySettings }
})

export function Screen() {
  const t = useMessages(messages)
  const policies = useSettings().organization?.secondFactorPolicies ?? null
  const { name, allows } = useOrganization()
  const mayUpdate = allows('organization', 'update')
  if (!mayUpdate && !allows('organization', 'delete')) return <NotPermitted title={t('settings')} />
  return (
    <>
      <PageHead title={t('settings')}>{t('settingsLead', { name })}</PageHead>
      {mayUpdate ? (
        <>
          <Setting title={t('general')} description={t('generalText')}>
            <GeneralForm />
          </Setting>
          {policies === null ? null : (
            <Setting title={t('security')} description={t('securityText')}>
              <Suspense fallback={<Skeleton />}>
                <PolicySettings />
              </Suspense>
            </Setting>
          )}
          <Setting title={t('metadata')} description={t('metadataText')}>
            <MetadataForm />
          </Setting>
        </>
      ) : null}
      <DangerZone />
    </>
  )
}

/** Reads again what shows the organization, also the switcher. */
const refresh = (id: string) =>
  Promise.all([refreshOrganization(id), queryClient.invalidateQueries({ queryKey: ['memberships'] })])

function GeneralForm() {
  const t = useMessages(messages)
  const { id, ...organization } = useOrganization()
  const before = { name: organization.name, slug: organization.slug, logo: organization.logo ?? '' }
  const [isSaved, setSaved] = useState(false)
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ organizationSettings }) => organizationSettings(organization.slug)),
    defaults: before,
    fields: { ORGANIZATION_ALREADY_EXISTS: 'slug' },
    submit: async (values) => {
      setSaved(false)
      // Only what the user has changed, so that a form opened long ago does not undo a change of another member.
      const data = {
        ...(values.name !== before.name && { name: values.name }),
        ...(values.slug !== before.slug && { slug: values.slug }),
        ...(values.logo !== before.logo && { logo: values.logo === '' ? null : values.logo }),
      }
      await call('POST /organization/update', { body: { organizationId: id, data } })
      await refresh(id)
      state.form.reset(values)
      setSaved(true)
      showToast(t('settingsSaved'))
    },
  })
  const slug = state.form.watch('slug')
  return (
    <Card className="px-4 py-5 card:px-5">
      <Form state={state} submitLabel={t('saveSettings')}>
        <TextField label={t('name')} autoComplete="off" dir="auto" maxLength={255} {...state.field('name')} />
        <SlugField {...state.field('slug')} text={slug} current={before.slug} hint={t('slugHint')} />
        {slug === before.slug ? null : <Note tone="warning">{t('slugChanges')}</Note>}
        <TextField
          label={t('logo')}
          hint={t('logoHint')}
          type="url"
          autoComplete="off"
          isOptional
          dir="ltr"
          {...state.field('logo')}
        />
        {isSaved && !state.form.formState.isDirty ? (
          <Note tone="success" isLive>
            {t('settingsSaved')}
          </Note>
        ) : null}
      </Form>
    </Card>
  )
}

/** None while the text is not an object: its error says so when it is saved. */
function differencesTo(before: Readonly<Record<string, unknown>>, text: string): readonly Difference[] {
  try {
    const after: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return isRecord(after) ? differencesOf(before, after) : []
  } catch {
    return []
  }
}

function MetadataForm() {
  const t = useMessages(messages)
  const { id, metadata } = useOrganization()
  const [isSaved, setSaved] = useState(false)
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ organizationMetadata }) => organizationMetadata),
    defaults: { metadata: metadata === null ? '' : JSON.stringify(metadata, null, 2) },
    submit: async ({ metadata: text }) => {
      setSaved(false)
      const value: Record<string, unknown> | null = text.trim() === '' ? null : JSON.parse(text)
      await call('POST /organization/update', { body: { organizationId: id, data: { metadata: value } } })
      await refresh(id)
      state.form.reset({ metadata: value === null ? '' : JSON.stringify(value, null, 2) })
      setSaved(true)
      showToast(t('metadataSaved'))
    },
  })
  return (
    <Card className="px-4 py-5 card:px-5">
      <Form state={state} submitLabel={t('saveMetadata')}>
        <TextArea
          label={t('metadataLabel')}
          hint={t('metadataHint')}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          dir="ltr"
          isCode
          {...state.field('metadata')}
        />
        <Differences differences={differencesTo(metadata ?? {}, state.form.watch('metadata'))} />
        {isSaved && !state.form.formState.isDirty ? (
          <Note tone="success" isLive>
            {t('metadataSaved')}
          </Note>
        ) : null}
      </Form>
    </Card>
  )
}

function DangerZone() {
  const t = useMessages(messages)
  const organization = useOrganization()
  const { canDelete } = useSettings().organization ?? {}
  const hasOneCreator = useHasOneCreator(organization)
  const [dialog, setDialog] = useState<'leave' | 'delete' | null>(null)
  const isLast = organization.isCreator && hasOneCreator
  const mayDelete = canDelete && organization.allows('organization', 'delete')
  return (
    <Section title={t('dangerZone')} isDanger>
      <Card>
        <Lines>
          <Line
            title={t('leaveOrganization')}
            action={
              <Button variant="danger" disabled={isLast} onClick={() => setDialog('leave')}>
                {t('leaveOrganization')}
              </Button>
            }
          >
            {isLast ? t('lastOwnerText') : t('leaveText')}
          </Line>
          {mayDelete ? (
            <Line
              title={t('deleteOrganization')}
              action={
                <Button variant="danger" onClick={() => setDialog('delete')}>
                  {t('deleteOrganization')}
                </Button>
              }
            >
              {t('deleteText')}
            </Line>
          ) : null}
        </Lines>
      </Card>
      <LeaveThisDialog isOpen={dialog === 'leave'} onClose={() => setDialog(null)} />
      <DeleteDialog isOpen={dialog === 'delete'} onClose={() => setDialog(null)} />
    </Section>
  )
}
