/** What the overview reads. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../session/session.ts'

export const ranges = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof ranges)[number]

export const isRange = (value: string | undefined): value is Range => ranges.some((range) => range === value)

const refreshMs = 60_000

const readOverview = (range: Range) => call('GET /admin/overview', { query: { range } })
export type Overview = Awaited<ReturnType<typeof readOverview>>
export type Point = Overview['signUps'][number]

/** Read again each minute while the page is visible. */
export const overviewQuery = (range: Range) =>
  queryOptions({
    queryKey: ['admin', 'overview', range],
    queryFn: () => readOverview(range),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    refetchOnWindowFocus: 'always',
  })

const readPolicy = () => call('GET /admin/sign-in-policy', {})
export type Policy = Awaited<ReturnType<typeof readPolicy>>
export const policyQuery = queryOptions({
  queryKey: ['admin', 'sign-in-policy'],
  queryFn: readPolicy,
  refetchInterval: refreshMs,
})

const readHealth = () => call('GET /admin/health', {})
export type Health = Awaited<ReturnType<typeof readHealth>>
/** The same key as that of the page of health. */
export const healthQuery = queryOptions({ queryKey: ['admin', 'health'], queryFn: readHealth, refetchInterval: refreshMs })
export const chainQuery = queryOptions({
  queryKey: ['admin', 'events', 'status'],
  queryFn: () => call('GET /admin/audit-status', {}),
  refetchInterval: refreshMs,
})

export const sum = (points: readonly Point[]): number => points.reduce((total, { value }) => total + value, 0)
