/** https://docs.discord.com/developers/topics/oauth2 */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const user = z.looseObject({
  id: z.string().regex(/^\d+$/),
  username: maybeText,
  global_name: maybeText,
  discriminator: maybeText,
  avatar: maybeText,
  email: maybeText,
  verified: z.boolean().optional(),
})

/** Users without a picture get one of the default pictures. The discriminator is `0` since usernames are unique. */
function imageOf({ id, avatar, discriminator }: z.output<typeof user>): string {
  const cdn = 'https://cdn.discordapp.com'
  if (avatar) return `${cdn}/avatars/${id}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
  const isUnique = !discriminator || discriminator === '0'
  return `${cdn}/embed/avatars/${isUnique ? (BigInt(id) >> 22n) % 6n : Number(discriminator) % 5}.png`
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
  profile: profileFromUserInfo(user, (data) => ({
    id: data.id,
    name: data.global_name || data.username || '',
    email: data.email ?? null,
    image: imageOf(data),
    emailVerified: data.verified ?? false,
  })),
})
