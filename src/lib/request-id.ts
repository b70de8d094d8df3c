/** Request IDs: the second of the request, so that an ID says when to look even if nothing recorded it, and 84 random bits. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const [timeLength, length] = [6, 20]
const bytesPerDraw = 3840

/** @param at milliseconds since 1970 @returns the first characters of the IDs of this second */
function secondOf(at: number): string {
  let [rest, text] = [Math.floor(at / 1000), '']
  for (let position = 0; position < timeLength; position += 1) {
    text = (alphabet[rest % 64] ?? '') + text
    rest = Math.floor(rest / 64)
  }
  return text
}

/** @param bytes makes random bytes @returns a function that makes an ID for a request of this time */
export function requestIds(bytes: (count: number) => Uint8Array): (at: number) => string {
  // Drawn in batches: one call for each request would cost more than the rest of its ID.
  let [drawn, position] = ['', 0]
  let [second, start] = [Number.NaN, '']
  const randomLength = length - timeLength
  return (at) => {
    if (position + randomLength > drawn.length) {
      drawn = Buffer.from(bytes(bytesPerDraw)).toString('base64url')
      position = 0
    }
    if (Math.floor(at / 1000) !== second) {
      second = Math.floor(at / 1000)
      start = secondOf(at)
    }
    position += randomLength
    return start + drawn.slice(position - randomLength, position)
  }
}

export const isRequestId = (text: string): boolean => text.length === length && /^[\w-]+$/.test(text)

/** @returns when the request with this ID came, to the second; null for a text that is not such an ID */
export function timeOfRequest(id: string): Date | null {
  if (!isRequestId(id)) return null
  const seconds = [...id.slice(0, timeLength)].reduce((sum, character) => sum * 64 + alphabet.indexOf(character), 0)
  return new Date(seconds * 1000)
}
