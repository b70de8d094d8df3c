/** https://developers.tiktok.com/doc/login-kit-web */
import { type ProfileRequest, profileFromUserInfo, provider, ResponseError } from '../provider.ts'
import { firstText, membersOf } from '../reading.ts'

/** Successful responses have an `error` too, whose code is `ok`. */
const hasFailed = (sent: unknown): boolean => !['', 'ok'].includes(firstText(membersOf(membersOf(sent).error).code))

/** TikTok rejects the request for all fields when the user has not granted the scope of one of them, as for the user name. */
async function fetchUser({ get, endpoints }: Pick<ProfileRequest, 'get' | 'endpoints'>): Promise<unknown> {
  const sent = await get().catch((error: unknown) => {
    if (!(error instanceof ResponseError)) throw error
  })
  if (sent !== undefined && !hasFailed(sent)) return sent
  const granted = await get(endpoints.userInfoEndpoint?.replace(/,username$/, ''))
  if (hasFailed(granted)) throw new Error('The provider responded with an error')
  return granted
}

export const tiktok = provider({
  name: 'TikTok',
  registrationURL: 'https://developers.tiktok.com/apps',
  requiresHTTPS: true,
  emails: 'none',
  placeholders: true,
  authorizationEndpoint: 'https://www.tiktok.com/v2/auth/authorize',
  tokenEndpoint: 'https://open.tiktokapis.com/v2/oauth/token/',
  userInfoEndpoint: 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_large_url,display_name,username',
  scopes: { 'user.info.profile': 'Read the profile' },
  scopeSeparator: ',',
  // TikTok has PKCE only for desktop apps, and with another encoding than RFC 7636.
  pkce: false,
  clientIdParameter: 'client_key',
  parameterOrder: ['scope', 'response_type', 'client_key', 'redirect_uri', 'state'],
  profile: profileFromUserInfo(({ data }) => {
    const { open_id: id, display_name, username, email, avatar_large_url: image } = membersOf(membersOf(data).user)
    // TikTok gives email addresses to selected apps only.
    return { id, name: firstText(display_name, username), email, image, emailVerified: true }
  }, fetchUser),
})
