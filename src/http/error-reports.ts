/** Calls the configuration's function for error responses. */
import type { App } from '../core/app.ts'
import type { ApiError } from '../core/errors.ts'
import type { ReportedError } from '../features/index.ts'
import { type DescribedError, describeError } from '../lib/redact.ts'
import type { Outgoing } from './respond.ts'

/**
 * Calls `onAPIError.onError` with each error response. Nothing that it does or throws changes the response.
 * @returns null when the configuration has no such function
 */
export function createErrorReports(app: App): ((outgoing: Outgoing, error: ApiError) => void) | null {
  const { onError } = app.config.onAPIError
  if (!onError) return null
  return ({ request, pattern }, error) => {
    const call = { method: request.method, path: pattern, requestId: request.id }
    // Deferred, because the response must not wait for it.
    app.defer(async () => {
      try {
        await onError(describe(error), call)
      } catch (thrown) {
        app.metrics.count('unexpected_error')
        app.log.error({ err: thrown, requestId: call.requestId }, 'onAPIError.onError failed')
      }
    })
  }
}

function describe({ entry: { status, code, message }, cause }: ApiError): ReportedError {
  const error = new Error(message, cause instanceof Error ? { cause: withoutValues(describeError(cause)) } : undefined)
  return Object.assign(error, { status, code })
}

/** As in the log: libraries add statements and parameters to their errors, and quote values in their messages. */
function withoutValues({ type, message, stack, cause, code }: DescribedError): Error {
  const options = typeof cause === 'object' ? { cause: withoutValues(cause) } : undefined
  return Object.assign(new Error(message, options), { name: type, stack, ...(code !== undefined && { code }) })
}
