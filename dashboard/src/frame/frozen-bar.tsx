/** What is frozen during an incident: users see read-only mode, administrators everything, with the way to the page that lifts it. */
import { Link } from '@tanstack/react-router'
import { ShieldX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { frozenMessages } from '../messages/frozen.ts'
import { useIsPermitted } from '../session/permissions.ts'
import { Bar, barLink } from './bars.tsx'
import { useInstancePath } from './frame-navigation.tsx'

const isKind = (text: string) => text === 'sign-up' || text === 'sign-in' || text === 'writes'

interface Props {
  /** Separated by commas. */
  readonly frozen: string
}

export function FrozenBar({ frozen }: Props) {
  const { locale } = useLocale()
  const [, setLoaded] = useState(false)
  useEffect(() => void frozenMessages.load(locale).then(() => setLoaded(true)), [locale])
  return frozenMessages.isLoaded(locale) ? <KindsBar frozen={frozen} /> : null
}

function KindsBar({ frozen }: Props) {
  const t = useMessages(frozenMessages)
  const isPermitted = useIsPermitted()
  const isAdministrator = useInstancePath() !== undefined
  const kinds = frozen.split(',').filter(isKind)
  const shown = isAdministrator ? kinds : kinds.filter((kind) => kind === 'writes')
  if (shown.length === 0) return null
  return (
    <Bar icon={ShieldX} tone="danger" label={t('frozen')}>
      {shown.map((kind) => t(kind)).join(' ')}{' '}
      {isPermitted('incident', 'read') ? (
        <Link to={'/admin/incident' as string} className={barLink}>
          {t('showIncident')}
        </Link>
      ) : null}
    </Bar>
  )
}
