/** What an administrator who acts as another user cannot do. */
import type { ReactNode } from 'react'
import { useFrameMessages } from '../messages/index.ts'
import { useSession } from '../session/session.ts'
import { Note } from './feedback.tsx'

/** During an impersonation, what it contains is disabled, and says why; the API rejects it too. */
export function NotWhileImpersonating({ children }: { readonly children: ReactNode }) {
  const t = useFrameMessages()
  if (!useSession().session.impersonatedBy) return <div>{children}</div>
  return (
    <div className="grid grid-cols-1 gap-6">
      <Note tone="warning">{t('notWhileImpersonating')}</Note>
      <fieldset disabled aria-label={t('notWhileImpersonating')} className="min-w-0">
        {children}
      </fieldset>
    </div>
  )
}

/** On a page that shows much and changes some: during an impersonation, that the API rejects its changes. */
export function ReadOnlyNote() {
  const t = useFrameMessages()
  if (!useSession().session.impersonatedBy) return null
  return (
    <div className="mb-6">
      <Note tone="warning">{t('readOnlyWhileImpersonating')}</Note>
    </div>
  )
}
