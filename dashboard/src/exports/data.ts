/** The exports of the user in the last day. */
import { queryOptions } from '@tanstack/react-query'
import { apiPath, queryClient } from '../api/calls.ts'
import { call } from '../session/session.ts'

/** Milliseconds after which running exports are read again. */
const refreshMs = 1000

const listExports = (source: string) => call('GET /list-export/list', { query: { source } })
export type ListExport = Awaited<ReturnType<typeof listExports>>['exports'][number]

const key = ['exports'] as const
export const exportsQuery = (source: string) =>
  queryOptions({
    queryKey: [...key, source],
    queryFn: () => listExports(source),
    refetchInterval: ({ state }) => (state.data?.exports.some((one) => one.state === 'running') ? refreshMs : false),
  })
export const refreshExports = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key })

export const downloadURL = ({ id }: Pick<ListExport, 'id'>): string =>
  `${apiPath}/list-export/download?id=${encodeURIComponent(id)}`
