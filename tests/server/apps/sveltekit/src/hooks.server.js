import { createSessionReader } from 'latchkey/server'
import { protect } from 'latchkey/server/sveltekit'

export const reader = createSessionReader({ baseURL: process.env.LATCHKEY_URL ?? '', appURL: process.env.APP_URL ?? '' })
export const handle = protect(reader, { isProtected: ({ route }) => route.id?.startsWith('/account') ?? false })
