/** What the page about an incident reads. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/session.ts'

/** Milliseconds after which it is read again: while a revocation runs, its progress changes. */
const [refreshMs, busyMs] = [15_000, 1000]

const readIncident = () => call('GET /admin/incident', {})
export type Incident = Awaited<ReturnType<typeof readIncident>>
export type Freeze = Incident['frozen'][number]
export type Revocation = Incident['revocations'][number]

export const kinds = ['sign-up', 'sign-in', 'writes'] as const
export type Kind = (typeof kinds)[number]

export const incidentQuery = queryOptions({
  queryKey: ['admin', 'incident'],
  queryFn: readIncident,
  refetchInterval: ({ state }) => (state.data?.revocations.some((one) => one.state === 'running') ? busyMs : refreshMs),
})
