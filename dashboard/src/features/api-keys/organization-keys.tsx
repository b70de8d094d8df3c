/** The API keys of an organization, for members whose role permits to read them. */
import { Lock } from 'lucide-react'
import { useSettings } from '../../api/calls.ts'
import { Placeholder } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useOrganization } from '../../session/organizations.ts'
import { KeysOfOwner } from './api-keys.tsx'
import { type KeyOwner, KeyOwnerProvider } from './data.ts'
import { messages } from './index.ts'

export function Screen() {
  const t = useMessages(messages)
  const { id, name, allows } = useOrganization()
  const settings = useSettings().organizationApiKeys
  if (!allows('apiKey', 'read'))
    return (
      <Card>
        <Placeholder icon={Lock} heading="h1" title={t('keysNotPermitted')}>
          {t('keysNotPermittedText')}
        </Placeholder>
      </Card>
    )
  const owner: KeyOwner = {
    ...{ organizationId: id, organization: name, maximum: settings?.maximum ?? 0, sets: settings?.sets ?? [] },
    may: (action) => allows('apiKey', action),
  }
  return (
    <KeyOwnerProvider value={owner}>
      <KeysOfOwner />
    </KeyOwnerProvider>
  )
}
