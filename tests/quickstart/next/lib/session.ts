import { headers } from 'next/headers'

export interface Session {
  user: { id: string; name: string; email: string; emailVerified: boolean }
}

const latchkey = process.env.NEXT_PUBLIC_LATCHKEY_URL ?? 'http://localhost:4000'

/** The session of the current request, or null. Only Latchkey knows whether a cookie is valid. */
export async function getSession(): Promise<Session | null> {
  const cookie = (await headers()).get('cookie')
  if (!cookie) return null
  // The browser renews the session: this server cannot set its cookie here.
  const response = await fetch(`${latchkey}/api/auth/get-session?disableRefresh=true`, {
    headers: { cookie },
    cache: 'no-store',
  })
  // A visitor who reads too often is limited alone; show the page as to a visitor who is not signed in.
  if (response.status === 429) return null
  if (!response.ok) throw new Error(`Latchkey responded with status ${response.status}`)
  return response.json()
}
