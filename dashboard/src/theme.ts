/** The theme (light, dark or that of the system) and the configured accent. */
import { useSyncExternalStore } from 'react'
import type { PublicSettings } from '../../src/features/index.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'latchkey.theme'
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function chosenTheme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Applied before the first paint, and whenever the system or another tab changes. */
function applyTheme(): void {
  const theme = chosenTheme()
  document.documentElement.dataset.theme = theme === 'system' ? (systemDark.matches ? 'dark' : 'light') : theme
  for (const listener of listeners) listener()
}

export function startTheme(): void {
  applyTheme()
  systemDark.addEventListener('change', applyTheme)
  addEventListener('storage', ({ key }) => key === storageKey && applyTheme())
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, theme)
  applyTheme()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosenTheme)

type Accent = NonNullable<PublicSettings['branding']['accent']>

/** A constructed style sheet, since the content security policy allows no inline style. */
export function applyAccent(accent: Accent | null): void {
  if (!accent) return
  const rule = (selector: string, { color, onColor, hover }: Accent['light']) =>
    `${selector}{--accent:${color};--accent-fill:${color};--accent-hover:${hover};--on-accent:${onColor};--accent-soft:color-mix(in oklab,${color} 12%,var(--surface))}`
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`${rule(':root', accent.light)}${rule(":root[data-theme='dark']", accent.dark)}`)
  document.adoptedStyleSheets.push(sheet)
}
