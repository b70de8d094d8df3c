/** How windows of this browser learn that a sign-in in another one has ended; they must not have a reference to each other (COOP). */
const name = 'latchkey:sign-in'

/** @param error code of a sign-in that failed */
export function announceSignIn(error: string | undefined): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage(error ?? null)
  channel.close()
}

/** Calls `listener` for each sign-in that ends in another window. @returns a function that stops this */
export function onSignIn(listener: (error: string | undefined) => void): () => void {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => listener(typeof data === 'string' ? data : undefined)
  return () => channel.close()
}
