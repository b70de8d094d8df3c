/** Who may create an account: what the pages of sign-up say about it, and the way to the waiting list. */
import type { PublicSettings } from '../../../src/features/index.ts'
import { catalogueOf, useMessages } from '../i18n/messages.ts'
import { TextLink } from './link.tsx'
import { Note } from './note.tsx'
import { type FormDeclaration, usePage, useSettings } from './page.ts'

const messages = catalogueOf('admission', {
  en: () => import('./messages/admission-en.ts'),
  de: () => import('./messages/admission-de.ts'),
})

/** What the page of an invite link keeps for the page of sign-up, which does not see the link. */
export const invited = { isInvited: 'true' }

const hasWaitingList = ({ signUp, waitingList }: PublicSettings): boolean => waitingList && signUp.mode === 'waiting-list'

/** Above the forms of sign-up: what a new user needs first. */
export function AdmissionNote() {
  const t = useMessages(messages)
  const { page } = usePage()
  const settings = useSettings()
  const { mode, invitationsPass } = settings.signUp
  if (page.kept.isInvited && mode !== 'closed') return <Note tone="success">{t('invitationOpened')}</Note>
  if (mode === 'invite') return <Note tone="info">{t(invitationsPass ? 'needsInvitationOrAddress' : 'needsInvitation')}</Note>
  if (!hasWaitingList(settings)) return null
  return (
    <Note tone="info">
      <p>{t('needsApproval')}</p>
      <WaitingListLink />
    </Note>
  )
}

/** Nothing when no one can be approved. */
export function WaitingListLink() {
  const t = useMessages(messages)
  if (!hasWaitingList(useSettings())) return null
  return (
    <p>
      <TextLink to="/waiting-list" search={{}} isInline>
        {t('joinWaitingList')}
      </TextLink>
    </p>
  )
}

/** A form whose values are rejected leads to the waiting list, with what was typed. */
export const toWaitingList: NonNullable<FormDeclaration['onError']> = (code, _page, { email = '', name = '' }, settings) =>
  code === 'SIGN_UP_NOT_ALLOWED' && hasWaitingList(settings)
    ? { page: '/waiting-list', keep: { email, name, isRejected: 'true' } }
    : null

/** On the waiting list, when the sign-up has led there. */
export function RejectedNote() {
  const t = useMessages(messages)
  const { page } = usePage()
  if (!page.kept.isRejected) return null
  return (
    <Note tone="info" isLive>
      {t('notYet')}
    </Note>
  )
}
