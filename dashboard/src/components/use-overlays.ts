/** Loads what menus, dialogs and toasts are made of when the user acts first. */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createListeners } from '../browser/listeners.ts'

export type Overlays = typeof import('./overlays.ts')

const retryMs = 2000

let loaded: Overlays | undefined
/** Whether something that was opened waits for a file that could not be loaded. */
let isFailing = false
const { subscribe, notify } = createListeners()
function setFailing(next: boolean): void {
  isFailing = next
  notify()
}

async function load(): Promise<void> {
  loaded ??= await import('./overlays.ts')
}

function loadUntilItSucceeds(): () => void {
  const attempt = () =>
    load().then(
      () => {
        clearInterval(timer)
        setFailing(false)
      },
      () => setFailing(true),
    )
  const timer = setInterval(() => void attempt(), retryMs)
  void attempt()
  return () => {
    clearInterval(timer)
    setFailing(false)
  }
}

/**
 * @param isWanted whether something opens now
 * @returns undefined: not loaded yet
 */
export function useOverlays(isWanted: boolean): Overlays | undefined {
  const [wasWanted, setWanted] = useState(false)
  if (isWanted && !wasWanted) setWanted(true)
  // What was never opened is not rendered again when the file is there.
  const overlays = useSyncExternalStore(subscribe, () => (wasWanted ? loaded : undefined))
  const isMissing = isWanted && overlays === undefined
  useEffect(() => (isMissing ? loadUntilItSucceeds() : undefined), [isMissing])
  return overlays
}

export const useOverlaysFail = (): boolean => useSyncExternalStore(subscribe, () => isFailing)

/** What is opened with the first click appears without a wait. */
export function loadWithFirstAction(): void {
  const acts = ['pointermove', 'pointerdown', 'keydown'] as const
  const onAct = () => {
    for (const act of acts) removeEventListener(act, onAct)
    // What is opened tries again, and the page says that it waits.
    load().catch(() => undefined)
  }
  for (const act of acts) addEventListener(act, onAct)
}
