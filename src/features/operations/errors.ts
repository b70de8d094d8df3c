/** Errors of the calls of operators. */
import { defineErrors } from '../../core/errors.ts'
import type { Config } from '../index.ts'

export const errors = defineErrors({
  FAILED_EMAIL_NOT_FOUND: [404, 'Failed email not found'],
  IP_ADDRESS_OR_ACCOUNT_REQUIRED: [400, 'IP address or account required'],
  ONLY_KNOWN_TO_A_DAEMON: [501, 'Only known to a daemon'],
})

/** The calls of operators exist with the other calls of administrators. */
export const isAdministered = ({ admin }: Config): boolean => admin.enabled
