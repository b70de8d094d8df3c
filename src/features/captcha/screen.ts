import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { IncomingRequest } from '../../core/request.ts'
import { errors } from './errors.ts'
import { isSolved } from './verify.ts'

/**
 * Lets a guarded call pass only with the answer to a captcha.
 * @throws ApiError MISSING_CAPTCHA_RESPONSE, CAPTCHA_VERIFICATION_FAILED, SOMETHING_WENT_WRONG
 */
export async function screen(app: App, request: IncomingRequest): Promise<void> {
  const { provider, endpoints } = app.config.captcha
  if (!provider || !isGuarded(endpoints, request)) return
  const response = request.header('x-captcha-response')
  if (!response) throw new ApiError(errors.MISSING_CAPTCHA_RESPONSE)
  const solved = await isSolved(app, provider, response, request.header('x-captcha-user-remote-ip')).catch((error: unknown) => {
    app.log.error({ err: error, requestId: request.id, provider }, 'A captcha could not be verified')
    throw new ApiError(errors.SOMETHING_WENT_WRONG, { cause: error })
  })
  if (!solved) throw new ApiError(errors.CAPTCHA_VERIFICATION_FAILED)
}

/** The path as it is routed, which is decoded, and the address as it was sent: one of them alone could be written around. */
function isGuarded(endpoints: readonly string[], request: IncomingRequest): boolean {
  const sent = request.url().href
  return endpoints.some((endpoint) => request.path.includes(endpoint) || sent.includes(endpoint))
}
