/** What the pages of operators read. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../session/session.ts'

export const pageSize = 50
/** Milliseconds after which what changes by itself is read again. */
const refreshMs = 15_000

export const mailsKey = ['admin', 'mails'] as const

export type MailState = 'waiting' | 'sent' | 'failed'

interface MailFilter {
  readonly state: MailState | undefined
  readonly kind: string | undefined
  readonly recipient: string | undefined
  readonly cursor: string | undefined
}

/** Empty pages after which it waits for the user to go on. */
const mostEmpty = 20

/** Two filters may leave a page empty while there is more to look at: the list shows the first one with emails. */
async function listMails(filter: MailFilter, signal: AbortSignal) {
  const read = (cursor: string | undefined) =>
    call('GET /admin/list-mails', { query: { ...filter, cursor, limit: pageSize } }, { signal })
  let page = await read(filter.cursor)
  for (let empty = 0; page.mails.length === 0 && page.nextCursor !== null && empty < mostEmpty; empty += 1)
    page = await read(page.nextCursor)
  return page
}
export type MailPage = Awaited<ReturnType<typeof listMails>>
export type Mail = MailPage['mails'][number]

export const mailsQuery = (filter: MailFilter) =>
  queryOptions({
    queryKey: [...mailsKey, filter],
    queryFn: ({ signal }) => listMails(filter, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

export const limitsKey = ['admin', 'limits'] as const

export interface Subject {
  readonly address: string | undefined
  readonly account: string | undefined
}

const explainLimits = (query: Subject) => call('GET /admin/explain-limits', { query })
export type LimitReport = Awaited<ReturnType<typeof explainLimits>>
export type CallState = NonNullable<LimitReport['rateLimits']>['calls'][number]

export const limitsQuery = (subject: Subject) =>
  queryOptions({ queryKey: [...limitsKey, 'explain', subject], queryFn: () => explainLimits(subject) })

const listLockouts = (cursor: string | undefined) => call('GET /admin/list-lockouts', { query: { cursor, limit: pageSize } })
export type Lockout = Awaited<ReturnType<typeof listLockouts>>['lockouts'][number]

export const lockoutsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...limitsKey, 'lockouts', cursor ?? ''],
    queryFn: () => listLockouts(cursor),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

const listSigningKeys = () => call('GET /admin/list-signing-keys', {})
export type SigningKeys = Awaited<ReturnType<typeof listSigningKeys>>
export type SigningKey = SigningKeys['keys'][number]
export const signingKeysQuery = queryOptions({
  queryKey: ['admin', 'signing-keys'],
  queryFn: listSigningKeys,
  refetchInterval: refreshMs,
})

const listJobs = () => call('GET /admin/list-jobs', {})
export type Job = Awaited<ReturnType<typeof listJobs>>['jobs'][number]
export const jobsQuery = queryOptions({ queryKey: ['admin', 'jobs'], queryFn: listJobs, refetchInterval: refreshMs })

const readConfiguration = () => call('GET /admin/configuration', {})
export type Configuration = Awaited<ReturnType<typeof readConfiguration>>
export type Option = Configuration['options'][number]
export const configurationQuery = queryOptions({ queryKey: ['admin', 'configuration'], queryFn: readConfiguration })

const readMigrations = () => call('GET /admin/migrations', {})
export type Migrations = Awaited<ReturnType<typeof readMigrations>>
export const migrationsQuery = queryOptions({ queryKey: ['admin', 'migrations'], queryFn: readMigrations })

const readHealth = () => call('GET /admin/health', {})
export type Health = Awaited<ReturnType<typeof readHealth>>
export const healthQuery = queryOptions({ queryKey: ['admin', 'health'], queryFn: readHealth, refetchInterval: 2 * refreshMs })
