/** The title of the tab while a page shows one thing, such as a user: several tabs differ by it. */
import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

let shown: string | undefined
const { subscribe, notify } = createListeners()

function show(title: string | undefined): void {
  shown = title
  notify()
}

/** The name of the thing, before the title that its screen declares. @param name empty or undefined: only the title is shown */
export function useTabTitle(name: string | undefined): void {
  useEffect(() => {
    show(name?.trim() || undefined)
    return () => show(undefined)
  }, [name])
}

/** The name of the thing that the page shows; undefined on pages about no one thing. */
export const useShownTitle = (): string | undefined => useSyncExternalStore(subscribe, () => shown)
