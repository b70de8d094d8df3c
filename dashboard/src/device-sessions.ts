/** The accounts that are signed in with this browser, and how other tabs learn which of them is current. */
import { queryOptions } from '@tanstack/react-query'
import { lastSession, pageURL, refreshSession, send } from './api.ts'
import { signOut } from './session.ts'

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

/** How pages in other tabs learn whose session this browser has now; they must not have a reference to each other (COOP). */
const channelName = 'latchkey:user'

/**
 * Announces to the other tabs which user this page is of, and reads the session again when another tab has another user: then this page is
 * loaded again.
 * @returns a function that stops this
 */
export function followCurrentUser(userId: string): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    // When that fails, the tab notices as soon as it is used.
    if (data !== lastSession()?.user.id) refreshSession().catch(() => undefined)
  }
  channel.postMessage(userId)
  return () => channel.close()
}
