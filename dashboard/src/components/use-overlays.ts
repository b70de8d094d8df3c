/** Loads what menus, dialogs and toasts are made of when the user acts first. */
import { useEffect, useState } from 'react'

export type Overlays = typeof import('./overlays.ts')

let loaded: Overlays | undefined

async function load(): Promise<void> {
  loaded ??= await import('./overlays.ts')
}

/**
 * @param isWanted whether something opens now
 * @returns undefined: not loaded yet
 * @throws TypeError when the file could not be loaded, for the page to say so and to try again
 */
export function useOverlays(isWanted: boolean): Overlays | undefined {
  const [result, setResult] = useState<{ readonly failure?: unknown }>({})
  const isMissing = isWanted && loaded === undefined
  useEffect(() => {
    if (!isMissing) return
    load().then(
      () => setResult({}),
      (failure) => setResult({ failure }),
    )
  }, [isMissing])
  if (isMissing && 'failure' in result) throw result.failure
  return loaded
}

/** What is opened with the first click appears without a wait. */
export function loadWithFirstAction(): void {
  const acts = ['pointermove', 'pointerdown', 'keydown'] as const
  const onAct = () => {
    for (const act of acts) removeEventListener(act, onAct)
    // What is opened tries again, and says why it failed.
    load().catch(() => undefined)
  }
  for (const act of acts) addEventListener(act, onAct)
}
