/**
 * Models of authenticators, from the file that `passkey.attestation.metadataFile` names: the list that the FIDO Alliance signs (Metadata
 * Service 3), or statements of makers as JSON. The file is read once per configuration, and nothing is fetched.
 */
import { verify, type X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import type { ConfigIssue } from '../../core/config.ts'
import { isTrustedChain, lastValidMoment, readCertificate } from '../../lib/certificate-chain.ts'
import { errorProperty } from '../../lib/driver-errors.ts'
import type { Config } from '../index.ts'

const aaguidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const attestationOption = z
  .strictObject({
    conveyance: z
      .enum(['none', 'direct', 'enterprise'])
      .default('none')
      .describe('Whether authenticators prove their model; with `enterprise` also which one it is, where the browser permits it'),
    allow: z
      .array(z.string().regex(aaguidPattern, 'Expected an AAGUID in lower case'))
      .min(1)
      .optional()
      .describe('Models that users may register, as AAGUIDs; default: every model of `metadataFile`'),
    metadataFile: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'File with the certificates of the makers: the list of the FIDO Alliance (https://mds3.fidoalliance.org), or metadata statements in JSON',
      ),
  })
  .default({ conveyance: 'none' })
  .describe('Register passkeys of certain authenticators only')

const statement = z.object({
  aaguid: z.string().toLowerCase().optional(),
  attestationRootCertificates: z.array(z.string()).default([]),
})
const payload = z.object({
  nextUpdate: z.iso.date(),
  entries: z.array(
    z.object({
      aaguid: z.string().toLowerCase().optional(),
      metadataStatement: statement.optional(),
      statusReports: z.array(z.object({ status: z.string() })).default([]),
    }),
  ),
})
const header = z.object({ alg: z.enum(['RS256', 'ES256']), x5c: z.array(z.string()).min(1) })

interface Model {
  /** Certificates in base64 that attest passkeys of the model, or issue what attests them. */
  readonly roots: readonly string[]
  /** The report of the FIDO Alliance for which no new passkey is accepted. */
  readonly problem: string | null
}

export interface Metadata {
  /** By AAGUID. */
  readonly models: ReadonlyMap<string, Model>
  /** When the next list is published; null: the file does not say it. */
  readonly nextUpdate: Date | null
}

/** FIDO Metadata Service 3.0 §3.1.4. */
const compromised = new Set([
  ...['REVOKED', 'USER_VERIFICATION_BYPASS', 'ATTESTATION_KEY_COMPROMISE'],
  ...['USER_KEY_REMOTE_COMPROMISE', 'USER_KEY_PHYSICAL_COMPROMISE'],
])

const partOf = (text: string | undefined): unknown => JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'))

const ownDomain = /(^|\.)fidoalliance\.org$/i

/** The authorities of the roots issue certificates to anyone, each for their own domain. */
const isOfFIDO = ({ subject, subjectAltName = '' }: X509Certificate): boolean =>
  [...`${subject}\n${subjectAltName.replaceAll(', ', '\n')}`.matchAll(/^(?:CN=|DNS:)(.*)$/gm)].some(([, name = '']) =>
    ownDomain.test(name),
  )

/**
 * @param text a JWT, as https://mds3.fidoalliance.org responds
 * @throws Error when it is not signed by the FIDO Alliance, or not such a list
 */
export function readSignedList(text: string, roots: readonly X509Certificate[] = metadataRoots()): Metadata {
  const [head, body, signature = ''] = text.split('.')
  const { x5c } = header.parse(partOf(head))
  const { nextUpdate, entries } = payload.parse(partOf(body))
  const chain = x5c.map(readCertificate)
  const [signer] = chain
  const updatedAt = new Date(nextUpdate)
  // An old list stays as it is: the doctor warns, and a daemon that starts again does not fail.
  const at = new Date(Math.min(updatedAt.getTime(), lastValidMoment(chain).getTime()))
  if (!signer || !isOfFIDO(signer) || !isTrustedChain(chain, roots, at)) throw new Error('its signer is not the FIDO Alliance')
  const key = { key: signer.publicKey, dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')))
    throw new Error('its signature is not valid')
  const models = entries.flatMap(({ aaguid, metadataStatement, statusReports }) => {
    const problem = statusReports.find(({ status }) => compromised.has(status))?.status ?? null
    return aaguid && metadataStatement
      ? [[aaguid, { roots: metadataStatement.attestationRootCertificates, problem }] as const]
      : []
  })
  return { models: new Map(models), nextUpdate: updatedAt }
}

const metadataRoots = (): X509Certificate[] =>
  readFileSync(new URL('metadata-roots.txt', import.meta.url), 'utf8')
    .match(/(?<=-{5}BEGIN CERTIFICATE-{5})[^-]+/g)
    ?.map(readCertificate) ?? []

/** @throws Error when it is neither a statement nor a list of them */
function readStatements(text: string): Metadata {
  const statements = z.union([statement.transform((one) => [one]), z.array(statement)]).parse(JSON.parse(text))
  const models = statements.flatMap(({ aaguid, attestationRootCertificates: roots }) =>
    aaguid ? [[aaguid, { roots, problem: null }] as const] : [],
  )
  return { models: new Map(models), nextUpdate: null }
}

const mostBytes = 64 * 2 ** 20

function readFile(path: string): Metadata | string {
  try {
    if (statSync(path).size > mostBytes) return `it has more than ${mostBytes / 2 ** 20} MiB`
    const text = readFileSync(path, 'utf8').trim()
    return /^[[{]/.test(text) ? readStatements(text) : readSignedList(text)
  } catch (error) {
    const code = errorProperty(error, 'code')
    if (code === 'ENOENT') return 'it does not exist'
    if (typeof code === 'string' && code.startsWith('E') && !code.startsWith('ERR_')) return `it cannot be read (${code})`
    const isOther = error instanceof z.ZodError || error instanceof SyntaxError || code !== undefined
    return isOther || !(error instanceof Error)
      ? 'it is neither a list of the FIDO Alliance nor statements in JSON'
      : error.message
  }
}

/** By configuration, so that the check and the calls see the same content. */
const known = new WeakMap<object, Metadata | string>()

/** @returns why the file cannot be used; null: none is configured */
export function readMetadata({ passkey: { attestation } }: Config): Metadata | string | null {
  const { metadataFile } = attestation
  if (metadataFile === undefined) return null
  const found = known.get(attestation) ?? readFile(metadataFile)
  known.set(attestation, found)
  return found
}

const issue = (id: string, path: string, message: string, hint: string): ConfigIssue => ({
  ...{ id, path: `passkey.attestation${path}` },
  ...{ message, hint },
})

/** What is wrong with `passkey.attestation`. */
export function checkAttestation(config: Config): ConfigIssue[] {
  const { conveyance, allow, metadataFile } = config.passkey.attestation
  if (!config.passkey.enabled) return []
  const isUsed = conveyance !== 'none'
  if (!isUsed && (allow || metadataFile !== undefined)) {
    const message = 'Without attestation the model of an authenticator is only a claim.'
    return [issue('passkey-attestation', '.conveyance', message, 'Set it to "direct", or remove allow and metadataFile.')]
  }
  const metadata = readMetadata(config)
  if (isUsed && metadata === null) {
    const message = 'No attestation can be verified without the certificates of the makers.'
    const hint = 'Set metadataFile to the list of https://mds3.fidoalliance.org, or to statements of the makers.'
    return [issue('passkey-attestation', '.metadataFile', message, hint)]
  }
  if (typeof metadata === 'string')
    return [
      issue(
        'passkey-metadata-file',
        '.metadataFile',
        `Cannot use ${metadataFile}: ${metadata}.`,
        'Download it again from https://mds3.fidoalliance.org; relative paths start at the folder of the project.',
      ),
    ]
  const missing = allow?.find((aaguid) => !metadata?.models.get(aaguid)?.roots.length)
  if (missing === undefined) return []
  const message = `${metadataFile} has no certificate that attests authenticators of ${missing}.`
  return [issue('passkey-metadata-file', '.allow', message, 'Remove it, or use a file that has its statement.')]
}
