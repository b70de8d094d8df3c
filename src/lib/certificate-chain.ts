/** Chains of X.509 certificates (RFC 5280 §6.1): names, signatures and dates. Revocation lists are not fetched. */
import { X509Certificate } from 'node:crypto'

/** @param base64 DER; white space in it is ignored @throws Error when it is not a certificate */
export const readCertificate = (base64: string): X509Certificate => new X509Certificate(Buffer.from(base64, 'base64'))

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: Date): boolean => at >= validFromDate && at <= validToDate

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/**
 * @param chain each certificate is issued by the next one; the last one may be an anchor, or be issued by one
 * @param anchors certificates that are trusted; also that of the first one itself, without its issuer
 */
export function isTrustedChain(chain: readonly X509Certificate[], anchors: readonly X509Certificate[], at: Date): boolean {
  const [first, ...issuers] = chain
  if (!first || !isValidAt(first, at)) return false
  const isTrusted = (anchor: X509Certificate) =>
    isValidAt(anchor, at) && (anchor.raw.equals(first.raw) || isIssuedBy(first, anchor))
  if (anchors.some(isTrusted)) return true
  const [issuer] = issuers
  // Without the mark of an authority, anyone with a certificate of a maker could issue others.
  return issuer?.ca === true && isIssuedBy(first, issuer) && isTrustedChain(issuers, anchors, at)
}

/** The last moment at which all of these certificates are valid. */
export const lastValidMoment = (chain: readonly X509Certificate[]): Date =>
  new Date(Math.min(...chain.map(({ validToDate }) => validToDate.getTime())))
