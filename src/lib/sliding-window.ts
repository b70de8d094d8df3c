/** The law of the rate limits as a pure function; the stores that decide elsewhere (Redis, database) repeat it. */

export interface WindowRecord {
  readonly count: number
  /** Milliseconds since 1970. */
  readonly lastRequest: number
}

export interface WindowDecision {
  readonly allowed: boolean
  /** Whole seconds; 0 when allowed. */
  readonly retryAfter: number
  /** What to store; null when nothing changes, because a refused call leaves no trace. */
  readonly record: WindowRecord | null
}

/**
 * Contract 00 §7: the window slides with every allowed call, and begins anew after a pause as long as itself.
 * @param rule `window` in seconds, `max` calls allowed in it
 * @param now milliseconds since 1970
 */
export function decide(
  record: WindowRecord | null,
  rule: { readonly window: number; readonly max: number },
  now: number,
): WindowDecision {
  const length = rule.window * 1000
  const elapsed = record ? now - record.lastRequest : Number.POSITIVE_INFINITY
  // A record from further ahead than the window is from before the clock was set back: it must not refuse for hours.
  if (!record || elapsed > length || elapsed < -length)
    return { allowed: true, retryAfter: 0, record: { count: 1, lastRequest: now } }
  if (elapsed < length && record.count >= rule.max)
    return { allowed: false, retryAfter: retryAfter(length, elapsed), record: null }
  return { allowed: true, retryAfter: 0, record: { count: record.count + 1, lastRequest: now } }
}

/**
 * Whole seconds until a full window is over; both lengths in milliseconds.
 * @param elapsed since the last allowed call
 */
export const retryAfter = (length: number, elapsed: number): number => Math.ceil((length - Math.max(elapsed, 0)) / 1000)
