import { createAuthClient } from 'better-auth/react'

export const authClient = createAuthClient({
  baseURL: process.env.NEXT_PUBLIC_LATCHKEY_URL ?? 'http://localhost:4000',
})
