/** The second factors and the trusted browsers of the current user as data. */
import { queryOptions } from '@tanstack/react-query'
import { queryClient, refreshSession } from '../../api/calls.ts'
import { call } from '../../session/session.ts'

const readStatus = () => call('GET /two-factor/status', {})
export type FactorStatus = Awaited<ReturnType<typeof readStatus>>
export type OwnFactor = FactorStatus['methods'][number]
export const factorsQuery = queryOptions({ queryKey: ['second-factors'], queryFn: readStatus })

const readBrowsers = () => call('GET /two-factor/list-trusted-devices', {})
export type TrustedBrowser = Awaited<ReturnType<typeof readBrowsers>>[number]
export const browsersQuery = queryOptions({ queryKey: ['trusted-browsers'], queryFn: readBrowsers })

/** After a change of the factors, which replaces the session. */
export async function refreshFactors(): Promise<void> {
  await refreshSession()
  await Promise.all([queryClient.invalidateQueries(factorsQuery), queryClient.invalidateQueries(browsersQuery)])
}
