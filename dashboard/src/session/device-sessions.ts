/** The accounts that are signed in with this browser, and how other tabs learn which of them is current. */
import { queryOptions } from '@tanstack/react-query'
import { lastSession, pageURL, refreshSession, send } from '../api/calls.ts'
import { announceUser, onUser } from '../browser/user-channel.ts'
import { leave, signOut } from './session.ts'

const listSessions = () => send('GET /multi-session/list-device-sessions', {})
export type DeviceSession = Awaited<ReturnType<typeof listSessions>>[number]

/** The current account first. */
export const deviceSessionsQuery = queryOptions({ queryKey: ['device-sessions'], queryFn: listSessions, retry: false })

/** Another page replaces this one, so that nothing of the former user stays in the memory of the tab. */
const openAccount = () => location.replace(pageURL('/account'))

export async function switchTo({ session }: DeviceSession): Promise<void> {
  await send('POST /multi-session/set-active', { body: { sessionToken: session.id } })
  openAccount()
}

/** Signs out of the current account; the next account becomes current, if there is one. */
export async function signOutOfCurrent(sessions: readonly DeviceSession[]): Promise<void> {
  const current = lastSession()
  if (!current || sessions.length < 2) return signOut()
  await send('POST /multi-session/revoke', { body: { sessionToken: current.session.id } })
  openAccount()
}

/**
 * Announces to the other tabs which user this page is of, and reads the session again when another tab has another user: then this page is
 * loaded again. When another tab has signed out, this page leaves, so that no one reads on.
 * @returns a function that stops this
 */
export function followCurrentUser(userId: string): () => void {
  announceUser(userId)
  return onUser((announced) => {
    if (announced === lastSession()?.user.id) return
    const read = refreshSession()
    // A page of this origin may have claimed it. When the session cannot be read, the page leaves nevertheless.
    if (announced === null) void read.catch(() => null).then((session) => session ?? leave())
    // When that fails, the tab notices as soon as it is used.
    else read.catch(() => undefined)
  })
}
