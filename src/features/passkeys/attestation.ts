/** What an authenticator proves of its model, when `passkey.attestation` asks for it (WebAuthn Level 3 §7.1, steps 22 to 24). */
import { X509Certificate } from 'node:crypto'
import type { App } from '../../core/app.ts'
import { isTrustedChain, readCertificate } from '../../lib/certificate-chain.ts'
import { readMetadata } from './metadata.ts'

/**
 * No attestation, or one that the passkey signs for itself; a model that is not allowed; one that has no certificate of its maker, or
 * another's; a model of which the FIDO Alliance warns.
 */
export type AttestationProblem = 'not-attested' | 'model-not-allowed' | 'not-trusted' | 'model-compromised'

/** What the library can verify without fetching a revocation list from an address that the response itself names. */
const verifiedFormats = { none: ['none', 'packed', 'fido-u2f', 'tpm'], asked: ['packed', 'tpm'] } as const

/** @throws Error before the library verifies the statement */
export function checkFormat({ config }: App, format: string): void {
  const { conveyance } = config.passkey.attestation
  // Without a statement it is verified as such, so that the model can be reported.
  const formats: readonly string[] = conveyance === 'none' ? verifiedFormats.none : ['none', ...verifiedFormats.asked]
  if (!formats.includes(format)) throw new Error(`The attestation format is not supported: ${format}`)
}

/**
 * Checks an attestation whose signature the library has verified.
 * @param chain the certificates of the statement, DER; undefined: it has none
 * @returns null when the model is allowed and proven, or not asked for
 */
export function findAttestationProblem(
  app: App,
  aaguid: string,
  chain: readonly Uint8Array[] | undefined,
): AttestationProblem | null {
  const { conveyance, allow } = app.config.passkey.attestation
  if (conveyance === 'none') return null
  if (!chain || chain.length === 0) return 'not-attested'
  const metadata = readMetadata(app.config)
  const model = metadata === null || typeof metadata === 'string' ? undefined : metadata.models.get(aaguid)
  if (!model || (allow && !allow.includes(aaguid))) return 'model-not-allowed'
  if (model.problem !== null) return 'model-compromised'
  const certificates = chain.map((der) => new X509Certificate(der))
  return isTrustedChain(certificates, model.roots.map(readCertificate), app.now()) ? null : 'not-trusted'
}
