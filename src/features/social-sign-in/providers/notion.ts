/** https://developers.notion.com/guides/get-started/authorization */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

// The capabilities of the connection decide whether there is an email address.
const user = z.looseObject({
  id: z.string(),
  name: maybeText,
  avatar_url: maybeText,
  person: z.looseObject({ email: maybeText }).optional(),
})

const owner = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('user'), user }),
  z.looseObject({ type: z.literal('workspace') }),
])

export const notion = provider({
  name: 'Notion',
  registrationURL: 'https://www.notion.so/profile/integrations',
  emails: 'unverified',
  authorizationEndpoint: 'https://api.notion.com/v1/oauth/authorize',
  tokenEndpoint: 'https://api.notion.com/v1/oauth/token',
  userInfoEndpoint: 'https://api.notion.com/v1/users/me',
  // Notion has no scopes: users choose pages, and the connection has capabilities.
  scopes: {},
  pkce: false,
  authentication: 'basic',
  tokenRequestFormat: 'json',
  parameters: () => ({ owner: 'user' }),
  // An access token is that of a bot, which the user owns.
  profile: profileFromUserInfo(
    z.looseObject({ bot: z.looseObject({ owner }) }),
    ({ bot: { owner } }) =>
      owner.type === 'user'
        ? {
            id: owner.user.id,
            name: owner.user.name ?? '',
            email: owner.user.person?.email ?? null,
            image: owner.user.avatar_url,
            // Notion does not say that it has verified the email address.
            emailVerified: false,
          }
        : null,
    ({ get }) => get(undefined, { 'notion-version': '2022-06-28' }),
  ),
})
