/** The algorithm of the rate limits as a pure function. The stores that decide elsewhere (Redis, database) implement it again. */

export interface WindowRecord {
  readonly count: number
  /** Milliseconds since 1970. */
  readonly lastRequest: number
}

interface WindowDecision {
  readonly allowed: boolean
  /** Whole seconds; 0 when allowed. */
  readonly retryAfter: number
  /** The record to store; null for a rejected request, which changes nothing. */
  readonly record: WindowRecord | null
}

/**
 * Contract 00 §7: the window slides with every allowed request, and starts over after a pause as long as the window.
 * @param rule `window` in seconds, `max` requests allowed in it
 * @param now milliseconds since 1970
 */
export function decide(
  record: WindowRecord | null,
  rule: { readonly window: number; readonly max: number },
  now: number,
): WindowDecision {
  const length = rule.window * 1000
  const elapsed = record ? now - record.lastRequest : Number.POSITIVE_INFINITY
  // A record from further ahead than the window is from before the clock was set back; it must not reject requests for hours.
  if (!record || elapsed > length || elapsed < -length)
    return { allowed: true, retryAfter: 0, record: { count: 1, lastRequest: now } }
  if (elapsed < length && record.count >= rule.max)
    return { allowed: false, retryAfter: retryAfter(length, elapsed), record: null }
  return { allowed: true, retryAfter: 0, record: { count: record.count + 1, lastRequest: now } }
}

/**
 * Whole seconds until a full window is over; both lengths in milliseconds.
 * @param elapsed since the last allowed request
 */
export const retryAfter = (length: number, elapsed: number): number => Math.ceil((length - Math.max(elapsed, 0)) / 1000)
