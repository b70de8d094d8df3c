import { codeOf, defineErrors, type ErrorEntry, type ErrorStatus } from '../../core/errors.ts'

export const errors = defineErrors({
  ACCOUNT_NOT_FOUND: [400, 'Account not found'],
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: [400, "You can't unlink your last account"],
  PROVIDER_NOT_FOUND: [404, 'Provider not found'],
  FAILED_TO_CREATE_ACCOUNT: [400, 'Failed to create account'],
  FAILED_TO_UPDATE_ACCOUNT: [400, 'Failed to update account'],
})

const saying = (status: ErrorStatus, message: string): ErrorEntry => ({ status, code: codeOf(message), message })

/** A call for an account asks for the tokens of a provider that is not configured. */
export const providerNotSupported = (providerId: string): ErrorEntry => saying(400, `Provider ${providerId} is not supported.`)

/** An account is of a provider that is not configured, or no longer. */
export const providerNotConfigured = (providerId: string): ErrorEntry =>
  saying(500, `Provider account provider is ${providerId} but it is not configured`)
