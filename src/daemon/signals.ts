/** What a supervisor understands: SIGTERM and SIGINT stop, a second one at once; SIGHUP reloads. */
import { closeSync, openSync } from 'node:fs'

/** Milliseconds in which a signal that comes twice is one: npm and others pass on what the terminal has sent already. */
const echo = 100

interface Reactions {
  readonly stop: () => void
  readonly stopAtOnce: () => void
  readonly isStopping: () => boolean
  readonly reload: () => void
}

/** @returns stops listening */
export function listenForSignals({ stop, stopAtOnce, isStopping, reload }: Reactions): () => void {
  let last = Number.NEGATIVE_INFINITY
  const end = () => {
    const isEcho = performance.now() - last < echo
    last = performance.now()
    if (isEcho) return
    if (isStopping()) stopAtOnce()
    else stop()
  }
  const hangUp = () => (process.stdout.isTTY && !hasTerminal() ? end() : reload())
  const listeners = { SIGTERM: end, SIGINT: end, SIGHUP: hangUp } as const
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener)
  }
}

/** A closed terminal sends the same signal that asks daemons to reload; then the controlling terminal is gone (tty(4)). */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
