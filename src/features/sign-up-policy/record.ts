/** Rejected sign-ups in the audit log: within the limits of rejected calls, because strangers can cause any number of them. */
import type { App } from '../../core/app.ts'
import { type SignUpAttempt, type SignUpRejection, wayOf } from '../../core/sign-up.ts'
import { noteDenied } from '../audit/index.ts'
import { comparableAddress } from './address-list.ts'

const longestDomain = 100

/** The address itself is left out: events outlive what a person wants to be known of them. */
export function recordRejection(app: App, attempt: SignUpAttempt, { rejected: reason, setting }: SignUpRejection): void {
  const { email, userId } = attempt
  const way = wayOf(attempt)
  const address = app.keyring.hash('sign-up address', email.toLowerCase())
  const domain = comparableAddress(email).domain.slice(0, longestDomain)
  noteDenied(app, {
    action: 'sign-up.rejected',
    ...(userId !== undefined && { target: { type: 'user', id: userId } }),
    details: { reason, setting, way, domain, address },
    // What remains of it when more clients than are recorded cause it.
    shared: { reason, setting, way },
  })
}
