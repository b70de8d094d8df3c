/**
 * A thread that stops an import that does not end: a loop after a top-level `await` blocks every timer and signal handler of the
 * main thread. The main thread ends this one when the import has ended.
 */
import { Session } from 'node:inspector'
import { createContext, runInContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { isObject } from '../lib/objects.ts'

/** What the main thread passes as `workerData`. */
export interface WatchdogOrder {
  readonly timeoutMs: number
  /** JavaScript that stops a main thread that does not read its messages. */
  readonly stop: string
}

/** An idle main thread reads the message within this time. */
const graceMs = 1000
const cell = new Int32Array(new SharedArrayBuffer(4))

function wait(): void {
  // From here on this thread gets SIGINT.
  parentPort?.postMessage('ready')
  Atomics.wait(cell, 0, 0)
}

/** @returns the error code of node:vm: the deadline has passed, or the process got SIGINT */
function waitForReason(timeoutMs: number): unknown {
  try {
    return runInContext('wait()', createContext({ wait }), { timeout: timeoutMs, breakOnSigint: true })
  } catch (error) {
    if (isObject(error) && 'code' in error) return error.code
    throw error
  }
}

const { timeoutMs, stop }: WatchdogOrder = workerData
const reason = waitForReason(timeoutMs)
parentPort?.postMessage(reason)
Atomics.wait(cell, 0, 0, graceMs)
const session = new Session()
session.connectToMainThread()
// The inspector interrupts a loop. Its `Runtime.terminateExecution` would abort the process if the loop is in a timer.
session.post('Runtime.evaluate', { expression: `${stop}(${JSON.stringify(reason)})` })
