/** The state of a list in the address of its page: search, filters and the page of rows. */
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useParameter } from './parameters.ts'

/** While the user types, only what stays for this time is searched. In milliseconds. */
const pause = 250

/** @returns a function that changes parameters of the address, and shows the first page of what they name */
export function useFilter(): (changes: Readonly<Record<string, string | undefined>>) => void {
  const navigate = useNavigate()
  return (changes) =>
    void navigate({
      to: '.',
      search: (former: object) => ({ ...former, after: undefined, page: undefined, ...changes }) as never,
      replace: true,
      resetScroll: false,
    } as never)
}

interface SearchText {
  /** What the field contains. */
  readonly text: string
  readonly setText: (text: string) => void
  /** What is searched; undefined: nothing. */
  readonly searched: string | undefined
}

/** A search field whose text is in the address once the user pauses. */
export function useSearchText(parameter = 'search'): SearchText {
  const searched = useParameter(parameter)
  const filter = useFilter()
  const [text, setText] = useState(searched ?? '')
  const [seen, setSeen] = useState(searched)
  // Back and forward, and a button that clears the search.
  if (seen !== searched) {
    setSeen(searched)
    if (searched !== (text.trim() || undefined)) setText(searched ?? '')
  }
  useEffect(() => {
    const next = text.trim() || undefined
    if (next === searched) return
    const timer = setTimeout(() => filter({ [parameter]: next }), pause)
    return () => clearTimeout(timer)
  })
  return { text, setText, searched }
}

interface ListPage {
  /** ID of the last row of the page before this one. */
  readonly after: string | undefined
  /** From 1. */
  readonly page: number
  readonly goToNext: (lastId: string) => void
  /** Undefined on the first page. After a deep link, the first page: the addresses of those between are not known. */
  readonly goBack: (() => void) | undefined
}

/** A page of a list that continues after a row. */
export function useListPage(): ListPage {
  const navigate = useNavigate()
  const after = useParameter('after')
  const number = Math.trunc(Number(useParameter('page')))
  const page = after === undefined ? 1 : Math.max(2, number || 2)
  const former = useLocation({ select: ({ state }) => state.pages ?? [] })
  const go = (next: string | undefined, number: number, pages: readonly string[]) =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, after: next, page: number === 1 ? undefined : String(number) }) as never,
      state: { pages },
    } as never)
  const knowsFormer = former.length === page - 1
  return {
    after,
    page,
    goToNext: (lastId) => go(lastId, page + 1, [...(knowsFormer ? former : []), lastId]),
    goBack:
      after === undefined
        ? undefined
        : () => (knowsFormer && page > 2 ? go(former.at(-2), page - 1, former.slice(0, -1)) : go(undefined, 1, [])),
  }
}
