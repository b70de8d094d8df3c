/** The theme: light, dark or that of the system. */
import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { readPreference, storePreference } from './preferences.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const { subscribe, notify } = createListeners()

function chosenTheme(): Theme {
  const stored = readPreference('theme')
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Applied before the first paint, when the system changes, and when the tab is shown again: it may have changed in another one. */
function applyTheme(): void {
  const theme = chosenTheme()
  document.documentElement.dataset.theme = theme === 'system' ? (systemDark.matches ? 'dark' : 'light') : theme
  notify()
}

export function startTheme(): void {
  applyTheme()
  systemDark.addEventListener('change', applyTheme)
  document.addEventListener('visibilitychange', applyTheme)
}

export function setTheme(theme: Theme): void {
  storePreference('theme', theme === 'system' ? null : theme)
  applyTheme()
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosenTheme)
