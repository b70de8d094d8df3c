/**
 * The way to the command palette: a field in the navigation, and keyboard shortcuts that can be switched off (WCAG 2.2 §2.1.4). The
 * palette itself loads when it opens first.
 */
import { Search } from 'lucide-react'
import { lazy, Suspense, useLayoutEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../browser/listeners.ts'
import { catalogue } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import type { messages as english } from '../messages/palette-en.ts'

export const paletteMessages = catalogue<typeof english>({
  en: () => import('../messages/palette-en.ts'),
  de: () => import('../messages/palette-de.ts'),
})

const Dialog = lazy(async () => {
  const [{ PaletteDialog }] = await Promise.all([
    import('./palette-dialog.tsx'),
    paletteMessages.load(document.documentElement.lang),
  ])
  return { default: PaletteDialog }
})

export type PaletteView = 'search' | 'shortcuts'

const storageKey = 'latchkey.shortcuts'
const { subscribe, notify } = createListeners()
let view: PaletteView | null = null

/** @param next null: closes it */
export function openPalette(next: PaletteView | null): void {
  view = next
  notify()
}

const hasShortcuts = (): boolean => localStorage.getItem(storageKey) !== 'off'

export function useShortcuts(): { readonly isOn: boolean; readonly setOn: (isOn: boolean) => void } {
  const isOn = useSyncExternalStore(subscribe, hasShortcuts)
  const setOn = (next: boolean) => {
    if (next) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
    notify()
  }
  return { isOn, setOn }
}

const isApple = /Mac|iP(hone|ad)/.test(navigator.userAgent)
/** The name of the key with which shortcuts start. */
export const modifier = isApple ? '⌘' : 'Ctrl'

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** What floats above a page keeps the keyboard to itself. */
const isCovered = (): boolean => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

function onKeyDown(event: KeyboardEvent): void {
  if (!hasShortcuts()) return
  const { key, ctrlKey, metaKey, altKey, target } = event
  const isJump = key.toLowerCase() === 'k' && (isApple ? metaKey : ctrlKey) && !altKey
  const isHelp = key === '?' && !ctrlKey && !metaKey && !isField(target)
  if ((!isJump && !isHelp) || isCovered()) return
  event.preventDefault()
  openPalette(isJump ? 'search' : 'shortcuts')
}

/** The palette, while it is open. Once for all pages with a navigation. */
export function Palette() {
  const current = useSyncExternalStore(subscribe, () => view)
  // Before the page can be seen: the first key press must count.
  useLayoutEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => {
      removeEventListener('keydown', onKeyDown)
      openPalette(null)
    }
  }, [])
  return current === null ? null : (
    <Suspense>
      <Dialog view={current} />
    </Suspense>
  )
}

interface FieldProps {
  /** Closes what contains it. */
  readonly onChoose?: (() => void) | undefined
}

export function PaletteField({ onChoose }: FieldProps) {
  const t = useFrameMessages()
  const { isOn } = useShortcuts()
  return (
    <button
      type="button"
      onClick={() => {
        onChoose?.()
        openPalette('search')
      }}
      className="mb-3 flex min-h-(--target) w-full cursor-pointer items-center gap-2.5 rounded-control px-2 text-start text-13 text-muted hover:bg-hover hover:text-text"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 grow truncate">{t('searchOrJump')}</span>
      {isOn ? (
        <kbd
          aria-hidden
          className="hidden shrink-0 rounded-sm border border-border-strong bg-surface px-1.5 font-sans text-12 whitespace-nowrap console:block"
        >
          {modifier} K
        </kbd>
      ) : null}
    </button>
  )
}
