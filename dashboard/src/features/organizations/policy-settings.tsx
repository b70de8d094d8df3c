/** The policy of second factors in the settings, with a preview of the members whom it concerns. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, queryClient, useSettings } from '../../api/calls.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { Checkbox, SelectField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card } from '../../components/layout.tsx'
import { Loaded } from '../../components/list.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { type Organization, organizationKey, refreshOrganization, useOrganization } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { messages } from './policy-messages.ts'

/** Names in the preview; the number counts all. */
const mostNames = 20

const lackingQuery = (organizationId: string) => ({
  queryKey: [...organizationKey(organizationId), 'without-second-factor'],
  queryFn: () => {
    const filter = { filterField: 'twoFactorEnabled', filterValue: 'false' } as const
    return call('GET /organization/list-members', { query: { organizationId, limit: mostNames, ...filter } })
  },
})

/** Days to set up a second factor that the form offers. */
const offered = [0, 7, 14, 30, 90]

export function PolicySettings() {
  const organization = useOrganization()
  const lacking = useQuery(lackingQuery(organization.id))
  return (
    <div className="grid gap-4">
      <Card className="px-4 py-5 card:px-5">
        <PolicyForm organization={organization} lacking={lacking.data?.total ?? 0} />
      </Card>
      <Card className="px-4 py-5 card:px-5">
        <Loaded query={lacking} heading="h3">
          {({ members, total }) => <Lacking members={members} total={total} organizationId={organization.id} />}
        </Loaded>
      </Card>
    </div>
  )
}

interface FormProps {
  readonly organization: Organization
  /** Members without a second factor. */
  readonly lacking: number
}

/** `off`, or the days. */
const policyOf = ({ twoFactorRequired, twoFactorGraceDays }: Organization): string =>
  twoFactorRequired ? String(twoFactorGraceDays ?? 0) : 'off'

/** Also the days that were set by a call. */
function usePolicies(before: string) {
  const t = useMessages(messages)
  const days = [...new Set([...offered, ...(before === 'off' ? [] : [Number(before)])])].toSorted((one, other) => one - other)
  const required = days.map((count) => ({
    value: String(count),
    label: count === 0 ? t('requiredNow') : t('requiredAfter', { count }),
  }))
  return [{ value: 'off', label: t('notRequired') }, ...required]
}

function PolicyForm({ organization, lacking }: FormProps) {
  const t = useMessages(messages)
  const before = policyOf(organization)
  const options = usePolicies(before)
  const [isSaved, setSaved] = useState(false)
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ twoFactorPolicy }) => twoFactorPolicy),
    defaults: { policy: before, showAdministrators: organization.twoFactorShowAdministrators },
    submit: async ({ policy, showAdministrators }) => {
      setSaved(false)
      const given = policy === 'off' ? { required: false } : { required: true, graceDays: Number(policy) }
      const body = { organizationId: organization.id, showAdministrators, ...given }
      await call('POST /organization/set-two-factor-policy', { body })
      await refreshOrganization(organization.id)
      state.form.reset({ policy, showAdministrators })
      setSaved(true)
      showToast(t('policySaved'))
    },
  })
  const chosen = state.form.watch('policy')
  const needsOwn = (error: unknown) =>
    hasCode(error, 'YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE') ? (
      <TextLink to={'/account/security' as string} isInline>
        {t('setUpOwn')}
      </TextLink>
    ) : null
  return (
    <Form state={state} submitLabel={t('savePolicy')} errorDetail={needsOwn}>
      <SelectField label={t('policyLabel')} hint={t('policyHint')} options={options} {...state.field('policy')} />
      {chosen === '0' && before !== '0' && lacking > 0 ? <Note tone="warning">{t('stopsNow', { count: lacking })}</Note> : null}
      {chosen === 'off' || chosen === '0' ? null : <Note>{t('graceText')}</Note>}
      <Checkbox label={t('showAdministrators')} {...state.field('showAdministrators')} />
      {isSaved && !state.form.formState.isDirty ? (
        <Note tone="success" isLive>
          {t('policySaved')}
        </Note>
      ) : null}
    </Form>
  )
}

interface LackingProps {
  readonly members: readonly { readonly id: string; readonly user: { readonly name: string; readonly email: string } }[]
  readonly total: number
  readonly organizationId: string
}

function Lacking({ members, total, organizationId }: LackingProps) {
  const t = useMessages(messages)
  const sends = useSettings().organization?.secondFactorPolicies?.sendsReminders
  return (
    <div className="grid gap-3">
      <div>
        <h3 className="text-14">{t('withoutFactor')}</h3>
        <p className="text-muted">{total === 0 ? t('everyoneHasOne') : t('lackOne', { count: total })}</p>
      </div>
      {total === 0 ? null : (
        <ul className="grid gap-2">
          {members.map(({ id, user }) => (
            <li key={id} className="flex min-w-0 items-center gap-2.5">
              <Avatar name={user.name} />
              <span className="min-w-0">
                <bdi className="block truncate">{user.name}</bdi>
                <span className="block truncate text-13 text-muted">{user.email}</span>
              </span>
            </li>
          ))}
          {total > members.length ? <li className="text-muted">{t('andMore', { count: total - members.length })}</li> : null}
        </ul>
      )}
      {total > 0 && sends ? <Reminders organizationId={organizationId} /> : null}
    </div>
  )
}

function Reminders({ organizationId }: Pick<LackingProps, 'organizationId'>) {
  const t = useMessages(messages)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [result, setResult] = useState<{ readonly sent: number; readonly hasMore: boolean }>()
  const send = async () => {
    setBusy(true)
    setError(undefined)
    setResult(undefined)
    try {
      setResult(await call('POST /organization/send-two-factor-reminders', { body: { organizationId } }))
      await queryClient.invalidateQueries({ queryKey: [...organizationKey(organizationId), 'activity'] })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="grid justify-items-start gap-2">
      {error === undefined ? null : <ErrorNote error={error} />}
      {result ? (
        <Note tone={result.sent > 0 ? 'success' : 'neutral'} isLive>
          {result.sent > 0 ? t('remindersSent', { count: result.sent }) : t('alreadyReminded')}
          {result.hasMore ? ` ${t('moreReminders')}` : null}
        </Note>
      ) : null}
      <Button isBusy={isBusy} onClick={() => void send()}>
        {t('sendReminders')}
      </Button>
      <p className="text-13 text-muted">{t('remindersText')}</p>
    </div>
  )
}
