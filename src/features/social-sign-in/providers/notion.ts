/** https://developers.notion.com/guides/get-started/authorization */
import { profileFromUserInfo, provider } from '../provider.ts'
import { firstText, membersOf } from '../reading.ts'

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
  // An access token belongs to a bot, which the user owns.
  profile: profileFromUserInfo(
    ({ bot }) => {
      const { type, user } = membersOf(membersOf(bot).owner)
      if (!['', 'user'].includes(firstText(type))) return null
      const { id, name, person, avatar_url: image } = membersOf(user)
      // The capabilities of the connection decide whether there is an email address. Notion does not say that it has verified it.
      return { id, name, email: membersOf(person).email, image, emailVerified: false }
    },
    ({ get }) => get(undefined, { 'notion-version': '2022-06-28' }),
  ),
})
