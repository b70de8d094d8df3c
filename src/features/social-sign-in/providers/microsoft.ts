/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc */
import { z } from 'zod'
import { isEmailAddress } from '../../../lib/text.ts'
import { type ProfileRequest, provider } from '../provider.ts'
import { firstText, isYes, type Members } from '../reading.ts'

/** The tenant of personal accounts. */
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
const severalTenants = ['common', 'organizations', 'consumers']
const photoSizes = [48, 64, 96, 120, 240, 360, 432, 504, 648] as const

const scopes = {
  openid: 'Identify the user',
  profile: 'Read the profile',
  email: 'Read the email address',
  'User.Read': 'Read the profile and its photo',
  offline_access: 'Renew the access',
}

/** Whether users of a tenant may sign in. A name of a tenant, such as its domain, is checked by Microsoft alone. */
function acceptsTenant(tenantId: string, tid: string): boolean {
  if (tenantId === 'consumers') return tid === personal
  if (tenantId === 'organizations') return tid !== personal
  return !z.guid().safeParse(tenantId).success || tenantId.toLowerCase() === tid
}

/**
 * The administrator of any tenant can give any email address to a user. It counts as verified when Microsoft says that the tenant
 * owns its domain, when it belongs to a personal account, or when only one tenant, which is then trusted, can sign in.
 */
const verifiesEmail = (tenantId: string, { tid, xms_edov }: Members): boolean =>
  isYes(xms_edov) || tid === personal || !severalTenants.includes(tenantId)

type PhotoRequest = Pick<ProfileRequest, 'download' | 'endpoints'>

/** @returns a data URI; null without a photo */
async function fetchPhoto({ download, endpoints }: PhotoRequest, size: number): Promise<string | null> {
  const photo = await download(`${endpoints.userInfoEndpoint}/photos/${size}x${size}/$value`)
  return photo ? `data:image/jpeg;base64,${Buffer.from(photo).toString('base64')}` : null
}

export const microsoft = provider({
  name: 'Microsoft',
  registrationURL: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
  emails: 'reported',
  placeholders: true,
  authorizationEndpoint: 'https://login.microsoftonline.com/{tenantId}/oauth2/v2.0/authorize',
  tokenEndpoint: 'https://login.microsoftonline.com/{tenantId}/oauth2/v2.0/token',
  userInfoEndpoint: 'https://graph.microsoft.com/v1.0/me',
  // Every tenant is an issuer; its users are not users of another tenant.
  issuer: 'https://login.microsoftonline.com/{tid}/v2.0',
  jwksUri: 'https://login.microsoftonline.com/{tenantId}/discovery/v2.0/keys',
  scopes,
  pkce: true,
  options: {
    tenantId: z
      .string()
      .regex(/^[\w.-]+$/)
      .default('common')
      .describe('Tenant whose users can sign in: its ID or domain, `common`, `organizations` or `consumers`'),
    profilePhotoSize: z.literal(photoSizes).default(48).describe('Width and height of the photo, in pixels'),
    disableProfilePhoto: z.boolean().default(false).describe('Do not fetch the photo'),
  },
  // Without a scope, the new tokens are for the scopes of the first request only.
  refreshParameters: ({ options, scopes: granted }) => {
    const defaults = options.disableDefaultScope ? [] : Object.keys(scopes)
    return { scope: [...new Set([...defaults, ...options.scope, ...granted])].join(' ') }
  },
  issuers: ({ tid }, { options, endpoints }) =>
    typeof tid === 'string' && acceptsTenant(options.tenantId, tid) ? [endpoints.issuer?.replace('{tid}', tid) ?? ''] : [],
  profile: async ({ claims: verified, options, endpoints, download }) => {
    if (!verified) return null
    const { sub: id, name, email, preferred_username, picture } = verified
    const photo = options.disableProfilePhoto ? null : await fetchPhoto({ download, endpoints }, options.profilePhotoSize)
    // Microsoft sends no email address for a user without a mailbox. Their name may look like one, which is not verified.
    const hasEmail = isEmailAddress(firstText(email))
    const profile = {
      id,
      name,
      email: hasEmail ? email : preferred_username,
      image: photo ?? picture,
      emailVerified: hasEmail && verifiesEmail(options.tenantId, verified),
    }
    return { profile, data: verified }
  },
})
