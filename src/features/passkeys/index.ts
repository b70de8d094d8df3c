/** Passkeys (WebAuthn): users sign in, and sign up, with their device, their password manager or a security key (contract 12). */
import type { Listeners } from '../../core/events.ts'
import { ofAccount } from '../../core/feature.ts'
import { asset, type Page } from '../../core/reply.ts'
import { apiURL } from '../../core/route.ts'
import { hostedURL } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { rpIDOf } from './config.ts'
import { mails as notices } from './mails.ts'
import { codeMails } from './sign-up.ts'
import { deleteAllPasskeys, notFound } from './store.ts'

export { type VerifiedAssertion, verifyAssertion } from './authentication.ts'
export { clearChallenge, jobs } from './challenge.ts'
export { checkConfig, config, enabled, isPossible, publicSettings, rpIDOf } from './config.ts'
export { texts } from './mails.ts'
export { readMetadata } from './metadata.ts'
export { secondFactor, signInMethod } from './methods.ts'
export { deletePasskey } from './removal.ts'
export { routes } from './routes.ts'
export { credentialHash, describePasskey, errors, findWorking, indexes, listPasskeys, type PasskeyRow, tables } from './store.ts'
export { draftPasskeys, exportPasskeys, type GivenPasskey, insertPasskeys } from './stored-passkeys.ts'

export const area = 'Passkeys'

export const plugin = 'passkey'

const servesDomain = (config: Config): boolean => new URL(apiURL(config)).hostname === rpIDOf(config)

/**
 * For browsers on the pages of other domains (WebAuthn Level 3 §5.11), when this daemon serves the domain of the passkeys, and for
 * password managers (W3C Passkey Endpoints).
 */
export function wellKnown(config: Config): Readonly<Record<string, Page>> {
  const { relatedOrigins } = config.passkey
  const manage = hostedURL(config, '/account/security')
  return {
    ...(servesDomain(config) && relatedOrigins.length > 0 && { webauthn: document({ origins: relatedOrigins }) }),
    ...(manage !== null && { 'passkey-endpoints': document({ enroll: `${manage}?add=passkey`, manage }) }),
  }
}

/**
 * The documents that another server must serve, because this daemon does not serve the domain of the passkeys, by their URL.
 */
export function documentsToServe(config: Config): Readonly<Record<string, object>> {
  const { enabled: isEnabled, relatedOrigins } = config.passkey
  if (!isEnabled || servesDomain(config) || relatedOrigins.length === 0) return {}
  return { [`https://${rpIDOf(config)}/.well-known/webauthn`]: { origins: relatedOrigins } }
}

const document = (value: object): Page => asset(new Uint8Array(Buffer.from(JSON.stringify(value))), 'application/json', caching)
const caching = { 'cache-control': 'max-age=3600' }

export const mails = { ...notices, ...codeMails }

export const on: Listeners = {
  // An attacker who signed up with the email address of another person may have added one.
  'earlier-access.revoked': async (tx, { userId }) => ({ passkeysEnded: await deleteAllPasskeys(tx, userId) }),
}

export const rejections = { 'POST /two-factor/enable': [notFound] }

export const auditActions = {
  'passkey.created': ofAccount('A user added a passkey; `provider` is the name of its authenticator, if it is known'),
  'passkey.rejected': ofAccount(
    'A passkey was not added, because of the model of its authenticator: `reason` is not-attested, model-not-allowed, not-trusted or model-compromised',
  ),
  'passkey.renamed': ofAccount('A user renamed a passkey'),
  'passkey.deleted': ofAccount(
    'A passkey was deleted, by its user or an operator, or because the owner of the email address may be another person',
  ),
  'passkey.cloned': ofAccount('The counter of a passkey went back, as that of a copied key does; there was no sign-in'),
  'passkey.suspended': ofAccount('A passkey cannot be used any more until its user restores it, because its counter went back'),
  'passkey.restored': ofAccount('A user lifted the suspension of a passkey, after a sign-in with another method'),
}
