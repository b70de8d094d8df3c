/** Lines about work that takes long, on standard error. */
import type { Output } from './output.ts'

/** Milliseconds between two lines. */
const pauseMs = 5000

/**
 * @param text of the line, for the number of what is done
 * @returns a function to call with that number, as often as it changes
 */
export function reportProgress(output: Pick<Output, 'info'>, text: (done: number) => string): (done: number) => void {
  let last = performance.now()
  return (done) => {
    if (performance.now() - last < pauseMs) return
    last = performance.now()
    output.info(text(done))
  }
}
