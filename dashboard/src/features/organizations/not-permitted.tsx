/** In place of a page that the role of the current user does not permit. */
import { Lock } from 'lucide-react'
import { ButtonLink } from '../../components/button.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { organizationPath, useOrganization } from '../../session/organizations.ts'
import { messages } from './messages.ts'
import { useRoleList } from './role-names.ts'

interface Props {
  /** Of the page. */
  readonly title: string
  readonly heading?: 'h1' | 'h2'
}

export function NotPermitted({ title, heading = 'h1' }: Props) {
  const t = useMessages(messages)
  const list = useRoleList()
  const { id, role } = useOrganization()
  return (
    <Card>
      <Placeholder
        icon={Lock}
        heading={heading}
        title={t('notPermitted', { title })}
        actions={<ButtonLink to={organizationPath(id) as string}>{t('goToOverview')}</ButtonLink>}
      >
        {t('notPermittedText', { roles: list(role) })}
      </Placeholder>
    </Card>
  )
}
