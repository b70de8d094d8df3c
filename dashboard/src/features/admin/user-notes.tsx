/** What stands above the page of a user who cannot sign in. */
import { Note } from '../../components/feedback.tsx'
import { Time } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { isBanned } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'

export function LockNote({ user: { lockedAt, lockReason } }: Pick<PartProps, 'user'>) {
  const t = useMessages(messages)
  if (!lockedAt) return null
  return (
    <div className="mb-4">
      <Note tone="warning">
        <p>{t('lockedNote')}</p>
        {lockReason ? <p>{t('lockReason', { reason: lockReason })}</p> : null}
        <p>
          {t('lockedSince')}: <Time value={lockedAt} style="dateTime" />
        </p>
      </Note>
    </div>
  )
}

export function BanNote({ user }: Pick<PartProps, 'user'>) {
  const t = useMessages(messages)
  if (!isBanned(user)) return null
  return (
    <div className="mb-4">
      <Note tone="warning">
        <p>{t('bannedNote', { reason: user.banReason ?? '' })}</p>
        <p>
          {user.banExpires ? (
            <>
              {t('banEnds')}: <Time value={user.banExpires} style="dateTime" />
            </>
          ) : (
            t('banForever')
          )}
        </p>
      </Note>
    </div>
  )
}
