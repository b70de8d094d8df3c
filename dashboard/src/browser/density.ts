/** How dense the rows of tables are: as designed, or compact. */
import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { readPreference, storePreference } from './preferences.ts'

const { subscribe, notify } = createListeners()
const isCompact = (): boolean => document.documentElement.dataset.density === 'compact'

function apply(compact: boolean): void {
  if (compact) document.documentElement.dataset.density = 'compact'
  else delete document.documentElement.dataset.density
  notify()
}

/** Before the first table is shown. */
export const startDensity = (): void => apply(readPreference('density') === 'compact')

export function setCompact(compact: boolean): void {
  storePreference('density', compact ? 'compact' : null)
  apply(compact)
}

export const useIsCompact = (): boolean => useSyncExternalStore(subscribe, isCompact)
