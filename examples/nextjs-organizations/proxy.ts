/** Leads visitors without a session to the hosted sign-in, and renews sessions. */
import { protect } from 'latchkey/server/next'
import { reader } from './lib/reader'

export const proxy = protect(reader)
export const config = { matcher: ['/', '/admin/:path*'] }
