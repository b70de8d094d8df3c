/** Parameters of the address of a page, and what it was given without showing it there. */
import { type HistoryState, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

declare module '@tanstack/react-router' {
  /** Of one entry of the session history: it survives a reload, and no other tab or server sees it. */
  interface HistoryState {
    readonly email?: string
    readonly token?: string
    /** Whether the user has just signed up. */
    readonly isNew?: boolean
    /** IDs of the rows after which the pages of a list start, from the second to this one. */
    readonly pages?: readonly string[]
  }
}

/** @returns the text of a query parameter by its name; undefined when it is absent or empty */
export function useParameters(): (name: string) => string | undefined {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  return (name) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
}

/** The same of one parameter. */
export const useParameter = (name: string): string | undefined => useParameters()(name)

/** @returns `UNKNOWN_ERROR` for a text that is not a code: anyone can link to a page, and it must not show their sentences under our name */
export function useErrorParameter(): string | undefined {
  const error = useParameter('error')
  return error === undefined || /^[\w.'-]{1,100}$/.test(error) ? error : 'UNKNOWN_ERROR'
}

export const useHistoryState = (): HistoryState => useLocation({ select: ({ state }) => state })

/**
 * The token of a mailed link. It moves from the address to the history entry: it is not copied or shown with the
 * address, and a reload still works.
 */
export function useToken(): string | undefined {
  const navigate = useNavigate()
  const given = useParameter('token')
  const { token } = useHistoryState()
  useEffect(() => {
    if (given === undefined) return
    const search = ({ token: _, ...rest }: Record<string, unknown>) => rest
    void navigate({ to: '.', search: search as never, state: { token: given }, replace: true })
  }, [given, navigate])
  return given ?? token
}
