/** Checks passkeys: whether browsers can have them, the document of related origins, and passkeys of a former domain. */
import { z } from 'zod'
import type { OpenApp } from '../../app.ts'
import { apiURL } from '../../core/route.ts'
import type { Config } from '../../features/index.ts'
import { isPossible, readMetadata, rpIDOf } from '../../features/passkeys/index.ts'
import { errorReason } from '../../lib/redact.ts'
import { counted } from '../../lib/text.ts'
import { check, type Finding } from './finding.ts'

/** Nothing while passkeys are disabled. */
export async function checkPasskeys(config: Config, fetchFrom: typeof fetch): Promise<Finding[]> {
  if (!config.passkey.enabled) return []
  const { ok, warning } = check('passkeys', 'Passkeys')
  if (!isPossible(config))
    return [
      warning(
        `Browsers have no passkeys on ${new URL(apiURL(config)).origin}, so that they are not offered`,
        'Use a domain and https: in baseURL. http: is possible on localhost only, and an IP address never.',
      ),
    ]
  const own = ok(`Belong to ${rpIDOf(config)}`)
  return [own, ...checkModels(readMetadata(config), new Date()), ...(await checkRelatedOrigins(config, fetchFrom))]
}

/** The list of models that may be registered: new warnings of the FIDO Alliance are only in the newest one. */
export function checkModels(metadata: ReturnType<typeof readMetadata>, now: Date): Finding[] {
  if (metadata === null || typeof metadata === 'string') return []
  const { ok, warning } = check('passkey-metadata', 'List of authenticators')
  const { nextUpdate, models } = metadata
  if (nextUpdate === null || nextUpdate > now) return [ok(`Has ${counted(models.size, 'model')}`)]
  const day = nextUpdate.toISOString().slice(0, 10)
  return [
    warning(
      `The FIDO Alliance has published a newer list than passkey.attestation.metadataFile, on ${day}`,
      'Download it from https://mds3.fidoalliance.org, and run latchkey reload.',
    ),
  ]
}

const documentShape = z.object({ origins: z.array(z.string()) })

/** The document of the domain of the passkeys, which another server may serve. */
async function checkRelatedOrigins(config: Config, fetchFrom: typeof fetch): Promise<Finding[]> {
  const { relatedOrigins } = config.passkey
  if (relatedOrigins.length === 0 || rpIDOf(config) === 'localhost') return []
  const { ok, warning } = check('passkey-related-origins', 'Related origins of passkeys')
  const url = `https://${rpIDOf(config)}/.well-known/webauthn`
  const fix = `Serve exactly this as application/json at ${url}: ${JSON.stringify({ origins: relatedOrigins })}`
  try {
    const response = await fetchFrom(url)
    const isJSON = response.headers.get('content-type')?.startsWith('application/json') === true
    const parsed = documentShape.safeParse(response.ok && isJSON ? await response.json() : null)
    if (!parsed.success) return [warning(`${url} is not the JSON document that browsers read (${response.status})`, fix)]
    const missing = relatedOrigins.filter((origin) => !parsed.data.origins.includes(origin))
    return [missing.length === 0 ? ok(`${url} names them`) : warning(`${url} does not name ${missing.join(', ')}`, fix)]
  } catch (error) {
    // This machine may be offline, or not the one of the daemon.
    return [warning(`${url} cannot be fetched from here: ${errorReason(error)}`, fix)]
  }
}

/** Passkeys of another domain cannot be used: the domain was changed, or they were imported. */
export async function checkStoredPasskeys({ db }: OpenApp['database'], config: Config): Promise<Finding[]> {
  if (!config.passkey.enabled) return []
  const domain = rpIDOf(config)
  const { ok, warning } = check('passkey-domains', 'Domains of stored passkeys')
  const rows = await db.selectFrom('passkey').select('rpID').distinct().limit(100).execute()
  const others = rows.map(({ rpID }) => rpID).filter((rpID) => rpID !== domain)
  if (others.length === 0) return [ok(`All belong to ${domain}`)]
  const found = await db
    .selectFrom('passkey')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('rpID', '!=', domain)
    .executeTakeFirstOrThrow()
  return [
    warning(
      `${counted(Number(found.count), 'passkey')} of ${others.slice(0, 5).join(', ')} cannot be used on ${domain}`,
      'Set passkey.rpID to the former domain; or let these users sign in with another method, and add a passkey.',
    ),
  ]
}
