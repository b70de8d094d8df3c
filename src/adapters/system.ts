/** What a process gets from its runtime: randomness and background work. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Random } from '../core/ports.ts'

const alphanumeric = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The operating system's randomness, without bias towards any character of an alphabet. */
export const random: Random = {
  id: () => draw(32, alphanumeric),
  token: (length, alphabet = alphanumeric) => {
    if (alphabet !== alphanumeric) checkAlphabet(alphabet)
    return draw(length, alphabet)
  },
  bytes: (length) => randomBytes(length),
}

/** Identifies this process among all machines, as the holder of a lease: unique, and recognizable for an operator. */
export const createHolderName = (): string => `${hostname()}, process ${process.pid} (${random.token(6)})`

function checkAlphabet(alphabet: string): void {
  if (alphabet.length < 2 || alphabet.length > 256 || new Set(alphabet).size !== alphabet.length)
    throw new Error('An alphabet needs 2 to 256 different characters')
}

/** Bytes above the largest multiple of the alphabet's length are drawn again, or its first characters would be more likely. */
function draw(length: number, alphabet: string): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const byte = drawByte()
    if (byte < limit) text += alphabet.charAt(byte % alphabet.length)
  }
  return text
}

/** Drawn in advance, because a call of the system costs more than the bytes. Each byte is returned once, and not kept. */
const drawn = { bytes: Buffer.alloc(0), next: 0 }

function drawByte(): number {
  if (drawn.next === drawn.bytes.length) Object.assign(drawn, { bytes: randomBytes(4096), next: 0 })
  const byte = drawn.bytes[drawn.next] ?? 0
  drawn.bytes[drawn.next] = 0
  drawn.next += 1
  return byte
}

/** Runs tasks that no response waits for, each after the current response is written. @param report gets the error of a task */
export function createBackgroundTasks(report: (error: unknown) => void) {
  const running = new Set<Promise<void>>()
  return {
    add: (task: () => Promise<void>) => {
      const run: Promise<void> = nextTurn()
        .then(task)
        .catch(report)
        .finally(() => running.delete(run))
      running.add(run)
    },
    /** Resolves when all tasks have ended, including those that were added while waiting. */
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
