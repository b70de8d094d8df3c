/** Parameters of the address of a page. */
import { useSearch } from '@tanstack/react-router'

/** @returns the text of a query parameter; undefined when it is absent or empty */
export function useParameter(name: string): string | undefined {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const value = search[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
