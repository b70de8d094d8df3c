import { hasPassword } from '../../session/accounts.ts'
import type { SignInAgainMethod } from '../../session/sign-in-request.ts'

export const passwordAgain: SignInAgainMethod = {
  order: 20,
  question: 'confirmIdentity',
  exists: ({ settings, accounts }) => settings.emailPassword !== null && (!accounts || hasPassword(accounts)),
  load: () => import('./sign-in-again.tsx'),
}
