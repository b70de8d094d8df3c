import { protect } from 'latchkey/server/next'
import { reader } from './lib/reader'

export const proxy = protect(reader)
export const config = { matcher: '/account/:path*' }
