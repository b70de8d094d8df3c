/** https://docs.discord.com/developers/topics/oauth2 */
import { profileFromUserInfo, provider } from '../provider.ts'
import { firstText, type Members, readId } from '../reading.ts'

/** Users without a picture get one of the default pictures. The discriminator is `0` since usernames are unique. */
function imageOf(id: string, { avatar: sent, discriminator }: Members): string {
  const cdn = 'https://cdn.discordapp.com'
  const avatar = firstText(sent)
  if (avatar) return `${cdn}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
  const number = Number(firstText(discriminator)) || 0
  return `${cdn}/embed/avatars/${number === 0 ? (BigInt(id) >> 22n) % 6n : number % 5}.png`
}

export const discord = provider({
  name: 'Discord',
  registrationURL: 'https://discord.com/developers/applications',
  emails: 'reported',
  authorizationEndpoint: 'https://discord.com/api/oauth2/authorize',
  tokenEndpoint: 'https://discord.com/api/oauth2/token',
  userInfoEndpoint: 'https://discord.com/api/users/@me',
  // Named in the callback (RFC 9207), as https://discord.com/.well-known/oauth-authorization-server says.
  issuer: 'https://discord.com',
  scopes: { identify: 'Read the profile', email: 'Read the email address' },
  // In the same document; better-auth does not send it.
  pkce: true,
  requestedScopesFirst: true,
  // Users who have authorized the application are not asked again.
  parameters: ({ options }) => ({ prompt: options.prompt ?? 'none' }),
  parameterOrder: ['scope', 'response_type', 'client_id', 'redirect_uri', 'state', 'prompt'],
  profile: profileFromUserInfo((user) => {
    const { global_name, username, email, verified } = user
    const id = readId(user.id) ?? ''
    // Part of the URL of the picture.
    if (!/^\d+$/.test(id)) throw new Error('The profile has no usable user ID: it is not a number')
    return { id, name: firstText(global_name, username), email, image: imageOf(id, user), emailVerified: verified }
  }),
})
