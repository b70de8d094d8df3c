/** For values that live outside of React, which components read with `useSyncExternalStore`. */

interface Listeners {
  /** @returns what ends it */
  readonly subscribe: (listener: () => void) => () => void
  /** After the value has changed. */
  readonly notify: () => void
}

export function createListeners(): Listeners {
  const all = new Set<() => void>()
  return {
    subscribe(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
    notify() {
      for (const listener of all) listener()
    },
  }
}
