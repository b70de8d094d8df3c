/** Looks up new passwords in the breached passwords of Have I Been Pwned, by the start of their hash (contract 06 §15). */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { section } from '../../core/config.ts'
import { ApiError, defineErrors, type ErrorEntry, errorWithValue, errors as kernelErrors } from '../../core/errors.ts'
import { createFairQueue } from '../../lib/async.ts'
import type { Config } from '../index.ts'

const publicRangeURL = 'https://api.pwnedpasswords.com/range/'

export const config = {
  haveIBeenPwned: section('Look up new passwords in the breached passwords of Have I Been Pwned', {
    customPasswordCompromisedMessage: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Message of the error `PASSWORD_COMPROMISED` in API responses; hosted pages have their own text'),
    rangeURL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(`URL of the range search, of a mirror of your own; default: \`${publicRangeURL}\``),
  }),
}

export const enabled = (config: Config) => config.haveIBeenPwned.enabled

export const errors = defineErrors({
  FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER: [500, 'Failed to check password. Please try again later.'],
})

/** Declared together with the other one. */
const failedWithStatus = (status: number): ErrorEntry =>
  errorWithValue(errors.FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER.code, 500, `Failed to check password. Status: ${status}`)

/** Of the requests of each process (ASVS 15.2.2): a slow service must not collect calls without limit. */
const limits = { running: 32, runningPerGroup: 32, waiting: 256, waitingPerGroup: 256, waitMs: 2000 }
const unavailable = () => new ApiError(kernelErrors.SERVICE_UNAVAILABLE, { headers: { 'retry-after': '1' } })
const queueOf = memo((_: App) => createFairQueue(limits, unavailable))

/** The part of the hash that is sent: hundreds of other passwords have the same. */
const prefixLength = 5

/**
 * Whether a password is known from a breach. Only the start of its hash leaves the process. Without a response the password is not
 * accepted.
 * @throws ApiError FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER, FAILED_TO_CHECK_PASSWORD_STATUS_<n>, SERVICE_UNAVAILABLE
 */
export async function isPwned(app: App, password: string): Promise<boolean> {
  if (!app.config.haveIBeenPwned.enabled) return false
  // As it is hashed for storage: texts that are equal there are one password.
  const hash = createHash('sha1').update(password.normalize('NFKC')).digest('hex').toUpperCase()
  try {
    const range = await queueOf(app)('all', () => fetchRange(app, hash.slice(0, prefixLength)))
    return findCount(range, hash.slice(prefixLength)) > 0
  } catch (error) {
    if (error instanceof ApiError && !('cause' in error)) throw error
    app.metrics.count('unexpected_error')
    app.log.error({ err: error }, 'Cannot check a password with Have I Been Pwned')
    if (error instanceof ApiError) throw new ApiError(error.entry)
    throw new ApiError(errors.FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER)
  }
}

/** @throws ApiError with the status of the service; Error when there is no response */
async function fetchRange(app: App, prefix: string): Promise<string> {
  const { rangeURL = publicRangeURL } = app.config.haveIBeenPwned
  // Padding hides from the network how many passwords have this prefix, and so which one it is.
  const response = await app.fetch(`${rangeURL.replace(/\/$/, '')}/${prefix}`, { headers: { 'add-padding': 'true' } })
  const { status } = response
  if (!response.ok) throw new ApiError(failedWithStatus(status), { cause: new Error(`The service returned status ${status}`) })
  return response.text()
}

/**
 * How often a password is in breaches; 0 for one that is not, and for padding.
 * @param suffix the rest of its hash
 * @throws Error when the text is not a list of hashes, such as a page of a proxy
 */
function findCount(range: string, suffix: string): number {
  let found = 0
  for (const line of range.split('\n')) {
    const [, hash, count] = /^([0-9A-F]{35}):(\d+)\s*$/i.exec(line) ?? []
    if (hash === undefined && line.trim() !== '') throw new Error('The service returned no list of hashes')
    if (hash?.toUpperCase() === suffix) found = Number(count)
  }
  return found
}
