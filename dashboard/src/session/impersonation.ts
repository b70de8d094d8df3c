/** An administrator who acts as the user of the session: who, why, and how it ends. */
import { pageURL, type Session, send } from '../api/calls.ts'
import { deleteNote } from '../browser/impersonation-note.ts'

export const isImpersonation = ({ session }: Session): boolean => Boolean(session.impersonatedBy)

/** The administrator's page of the user. A new page replaces this one: nothing of the user stays in the memory of the tab. */
const openUser = ({ user }: Session) => location.replace(pageURL(`/admin/users/${encodeURIComponent(user.id)}`))

/** Ends the impersonation, and returns to where it began. */
export async function stopImpersonating(session: Session): Promise<void> {
  await send('POST /admin/stop-impersonating', {})
  deleteNote()
  openUser(session)
}
