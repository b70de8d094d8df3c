import { createSessionReader } from 'latchkey/server'

export const reader = createSessionReader({ baseURL: process.env.LATCHKEY_URL ?? '', appURL: process.env.APP_URL ?? '' })
