/** What the pages read. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryClient } from '../../api/calls.ts'
import { call } from '../../session/session.ts'

export const pageSize = 50

const listLinks = (cursor: string | undefined) => call('GET /admin/list-invite-links', { query: { cursor, limit: pageSize } })
export type InviteLink = Awaited<ReturnType<typeof listLinks>>['inviteLinks'][number]

const linksKey = ['admin', 'invite-links'] as const
export const linksQuery = (cursor: string | undefined) =>
  queryOptions({ queryKey: [...linksKey, cursor], queryFn: () => listLinks(cursor), placeholderData: keepPreviousData })
export const refreshLinks = () => queryClient.invalidateQueries({ queryKey: linksKey })

interface ApplicantFilter {
  readonly state: 'waiting' | 'approved' | 'declined' | undefined
  readonly search: string | undefined
  readonly cursor: string | undefined
}

const listApplicants = (filter: ApplicantFilter) =>
  call('GET /admin/list-waiting-list', { query: { ...filter, limit: pageSize } })
export type ApplicantPage = Awaited<ReturnType<typeof listApplicants>>
export type Applicant = ApplicantPage['entries'][number]

const applicantsKey = ['admin', 'waiting-list'] as const
export const applicantsQuery = (filter: ApplicantFilter) =>
  queryOptions({
    queryKey: [...applicantsKey, filter],
    queryFn: () => listApplicants(filter),
    placeholderData: keepPreviousData,
  })
export const refreshApplicants = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: applicantsKey }),
    queryClient.invalidateQueries({ queryKey: ['admin', 'pending-counts'] }),
  ])
