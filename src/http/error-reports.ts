/** Tells the installation of errors that were answered. It watches: nothing that it does or throws changes an answer. */

import type { ReportedError } from '../core/api-errors.ts'
import type { App } from '../core/app.ts'
import type { ApiError } from '../core/errors.ts'
import { type DescribedError, describeError } from '../lib/describe-error.ts'
import type { Outgoing } from './respond.ts'

/** @returns null when nobody wants to be told */
export function createErrorReports(app: App): ((outgoing: Outgoing, error: ApiError) => void) | null {
  const { onError } = app.config.onAPIError
  if (!onError) return null
  return ({ request, pattern }, error) => {
    const call = { method: request.method, path: pattern, requestId: request.id }
    // Later: whoever watches may be slow, and may not be waited for.
    app.defer(async () => {
      try {
        await onError(describe(error), call)
      } catch (thrown) {
        app.metrics.count('unexpected_error')
        app.log.error({ err: thrown, requestId: call.requestId }, 'onAPIError.onError has failed')
      }
    })
  }
}

function describe({ entry: { status, code, message }, cause }: ApiError): ReportedError {
  const error = new Error(message, cause instanceof Error ? { cause: withoutValues(describeError(cause)) } : undefined)
  return Object.assign(error, { status, code })
}

/** As the log has it: libraries hang statements and parameters on their errors, and quote values in their messages. */
function withoutValues({ type, message, stack, cause, code }: DescribedError): Error {
  const options = typeof cause === 'object' ? { cause: withoutValues(cause) } : undefined
  return Object.assign(new Error(message, options), { name: type, stack, ...(code !== undefined && { code }) })
}
