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

/** Until the process ends: a third signal must not cut what the second one has begun. */
export function listenForSignals({ stop, stopAtOnce, isStopping, reload }: Reactions): void {
  let last = Number.NEGATIVE_INFINITY
  const end = () => {
    if (performance.now() - last < echo) return
    last = performance.now()
    if (isStopping()) stopAtOnce()
    else stop()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', () => (process.stdout.isTTY && !hasTerminal() ? end() : reload()))
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
