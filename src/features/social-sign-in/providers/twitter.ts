/** https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token */
import { z } from 'zod'
import { maybeText, type ProfileRequest, provider, ResponseError } from '../provider.ts'

const user = z.looseObject({
  data: z.looseObject({ id: z.string(), name: maybeText, username: maybeText, profile_image_url: maybeText }),
})
const withEmail = z.looseObject({ data: z.looseObject({ confirmed_email: maybeText }).optional() })

/** @returns null for applications without the permission to read it, which X rejects */
async function fetchConfirmedEmail({ get, endpoints }: Pick<ProfileRequest, 'get' | 'endpoints'>): Promise<string | null> {
  try {
    const { data } = withEmail.parse(await get(`${endpoints.userInfoEndpoint}?user.fields=confirmed_email`))
    return data?.confirmed_email || null
  } catch (error) {
    if (error instanceof ResponseError && error.status === 403) return null
    throw error
  }
}

export const twitter = provider({
  name: 'X',
  registrationURL: 'https://developer.x.com/en/portal/dashboard',
  emails: 'names',
  authorizationEndpoint: 'https://x.com/i/oauth2/authorize',
  tokenEndpoint: 'https://api.x.com/2/oauth2/token',
  userInfoEndpoint: 'https://api.x.com/2/users/me',
  scopes: {
    'users.read': 'Read the profile',
    'tweet.read': 'Read posts; X requires it to read the profile',
    'offline.access': 'Renew the access',
    'users.email': 'Read the email address',
  },
  pkce: true,
  // Its documentation requires this of every client that has a secret, for refreshes too.
  authentication: 'basic',
  profile: async ({ get, endpoints }) => {
    const sent = await get(`${endpoints.userInfoEndpoint}?user.fields=profile_image_url`)
    const { id, name, username, profile_image_url } = user.parse(sent).data
    const confirmed = await fetchConfirmedEmail({ get, endpoints })
    const profile = {
      id,
      name: name ?? '',
      // As in better-auth. A username never counts as a verified email address.
      email: confirmed ?? username ?? null,
      image: profile_image_url,
      emailVerified: confirmed !== null,
    }
    return { profile, data: Object(sent) }
  },
})
