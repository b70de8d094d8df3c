/** Runs the `polls` of the features in this worker, until stopped. */
import { setTimeout as pause } from 'node:timers/promises'
import { type App, reportFailure } from '../core/app.ts'
import type { Poll } from '../core/steps.ts'

/** A worker that starts waits this long for the first runs. */
const firstRunMs = 3000

/**
 * Runs each poll once, and then again and again. A failure is logged and counted, and the next run comes as ever.
 * @returns a function that stops them
 */
export async function startPolls(app: App): Promise<() => void> {
  const stopping = new AbortController()
  const polls = app.features.flatMap(({ polls = {} }) => Object.values(polls))
  const attempt = ({ run }: Poll) => run(app).catch((error: unknown) => reportFailure(app, error, 'A poll'))
  // A worker also starts while the database does not respond.
  await Promise.race([Promise.all(polls.map(attempt)), pause(firstRunMs, undefined, { ref: false })])
  for (const poll of polls) void repeat(poll, () => attempt(poll), stopping.signal)
  return () => stopping.abort()
}

async function repeat({ every }: Poll, run: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (await pause(every * 1000, true, { signal, ref: false }).catch(() => false)) await run()
}
