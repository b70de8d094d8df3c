/** What a member without a second factor sees in an organization that requires one: why they are stopped, or from when they will be. */
import { useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useSettings } from '../../api/calls.ts'
import { ButtonLink, TextLink } from '../../components/button.tsx'
import { Note, Placeholder } from '../../components/feedback.tsx'
import { Card, Time } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { membershipsQuery } from '../../session/organizations.ts'
import { messages } from './policy-messages.ts'

/** In place of every page of the organization. The switcher in the navigation leads to others. */
export function Stopped({ id }: { readonly id: string }) {
  const t = useMessages(messages)
  const { data } = useQuery(membershipsQuery({ search: id, limit: 1 }))
  const offersEmail = useSettings().twoFactor?.channels.includes('email')
  const name = data?.memberships.find(({ organization }) => organization.id === id)?.organization.name
  if (name === undefined) return null
  return (
    <Card className="max-w-160">
      <Placeholder
        icon={ShieldAlert}
        heading="h1"
        title={t('stopped', { name })}
        actions={
          <>
            <ButtonLink to={'/account/security' as string} search={{ callbackURL: location.href }} variant="primary">
              {t('setUpOwn')}
            </ButtonLink>
            <ButtonLink to="/organizations">{t('otherOrganizations')}</ButtonLink>
          </>
        }
      >
        {t('stoppedText')}
        {offersEmail ? ` ${t('emailIsNotEnough')}` : null}
      </Placeholder>
    </Card>
  )
}

/** Stands for the date in the sentence around it. */
const place = '\u0000'

export function DueNotice({ dueAt }: { readonly dueAt: string }) {
  const t = useMessages(messages)
  const [before = '', after = ''] = t('dueSoon', { date: place }).split(place)
  return (
    <div className="mb-5">
      <Note tone="warning">
        <p>
          {before}
          <Time value={dueAt} style="date" />
          {after}
        </p>
        <TextLink to={'/account/security' as string} isInline>
          {t('setUpOwn')}
        </TextLink>
      </Note>
    </div>
  )
}
