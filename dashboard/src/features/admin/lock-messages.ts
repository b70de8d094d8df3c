/** The texts of the dialogs that lock an account and open it, and what the first one reads. */
import { queryOptions } from '@tanstack/react-query'
import { catalogue } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { userKey } from './data.ts'
import type { messages as english } from './lock-en.ts'

export const messages = catalogue<typeof english>({ en: () => import('./lock-en.ts'), de: () => import('./lock-de.ts') })

const readLock = (userId: string) => call('GET /admin/user-lock', { query: { userId } })
export type LockPreview = Awaited<ReturnType<typeof readLock>>
export const lockQuery = (userId: string) =>
  queryOptions({ queryKey: [...userKey(userId), 'lock'], queryFn: () => readLock(userId), gcTime: 0 })
