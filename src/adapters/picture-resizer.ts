/** Makes small squares of pictures of strangers: limited in size, time and number, and off the event loop. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Logger, mostPictureBytes, type PictureResizer } from '../core/ports.ts'
import { withDeadline } from '../lib/async.ts'
import { readPictureHead } from '../lib/image.ts'
import type { PictureOrder } from './picture-worker.ts'

/** In pixels: three for each of the largest avatar. */
const size = 168
/** Decoded, they take four bytes each, several times. */
const mostPixels = 4_194_304
const timeoutMs = 10_000

// Next to this file, in the language that this file has: the published package is JavaScript.
const script = new URL(`./picture-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)

/**
 * @param most that may wait; others are rejected, because waiting ones hold their bytes
 * @returns a function that makes one square at a time
 */
export function createPictureResizer(log: Pick<Logger, 'debug'>, most = 20): PictureResizer {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (bytes) => {
    const head = readPictureHead(bytes)
    const pixels = head ? head.width * head.height : 0
    if (!head || pixels === 0 || pixels > mostPixels || waiting >= most) return null
    waiting += 1
    const made = last.then(() => resize(log, { bytes, type: head.type, size }))
    last = made.finally(() => {
      waiting -= 1
    })
    return made
  }
}

/** @returns null when the picture cannot be decoded, or takes too long */
async function resize(log: Pick<Logger, 'debug'>, workerData: PictureOrder): Promise<Uint8Array<ArrayBuffer> | null> {
  // Its codecs write to the output what they think of a broken file.
  const options = { env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: 64 } }
  const worker = new Worker(script, { ...options, workerData })
  try {
    const [made]: ArrayBuffer[] = await withDeadline(once(worker, 'message'), timeoutMs, 'A picture takes too long')
    return made && made.byteLength <= mostPictureBytes ? new Uint8Array(made) : null
  } catch (error) {
    // Any user can cause it.
    log.debug({ err: error }, 'A picture cannot be decoded')
    return null
  } finally {
    await worker.terminate()
  }
}
