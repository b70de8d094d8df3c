/** What the page of a user reads of their second factors, and the texts of that part. */
import { queryOptions } from '@tanstack/react-query'
import { catalogue } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { userKey } from './data.ts'
import type { messages as english } from './user-security-en.ts'

export const messages = catalogue<typeof english>({
  en: () => import('./user-security-en.ts'),
  de: () => import('./user-security-de.ts'),
})

const listFactors = (userId: string) => call('GET /admin/list-user-factors', { query: { userId } })
export type UserFactors = Awaited<ReturnType<typeof listFactors>>
export const factorsQuery = (userId: string) =>
  queryOptions({ queryKey: [...userKey(userId), 'factors'], queryFn: () => listFactors(userId) })

/** The newest wrong codes of a user. */
export const failuresQuery = (userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'failures'],
    queryFn: () => call('GET /admin/list-events', { query: { userId, action: 'two-factor.failed', limit: 5 } }),
  })

const explain = (userId: string, method: string) =>
  call('GET /admin/explain-sign-in', { query: { userId, ...(method !== '' && { method }) } })
export type Step = Awaited<ReturnType<typeof explain>>['steps'][number]

/** @param method empty: the first one that the user has */
export const explanationQuery = (userId: string, method: string) =>
  queryOptions({ queryKey: [...userKey(userId), 'explanation', method], queryFn: () => explain(userId, method) })
