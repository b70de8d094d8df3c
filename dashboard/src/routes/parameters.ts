/** Parameters of the address of a page. */
import { useSearch } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  /** Of one entry of the session history: it survives a reload, and no other tab or server sees it. */
  interface HistoryState {
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
