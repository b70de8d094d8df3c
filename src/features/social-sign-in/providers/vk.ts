/** https://id.vk.com/about/business/go/docs/en/vkid/latest/vk-id/connection/api-description */
import { z } from 'zod'
import { provider } from '../provider.ts'
import { clientIdsOf } from '../provider-options.ts'
import { firstText, membersOf } from '../reading.ts'

export const vk = provider({
  name: 'VK',
  registrationURL: 'https://id.vk.com/about/business/go',
  emails: 'verified',
  authorizationEndpoint: 'https://id.vk.com/authorize',
  tokenEndpoint: 'https://id.vk.com/oauth2/auth',
  userInfoEndpoint: 'https://id.vk.com/oauth2/user_info',
  scopes: { email: 'Read the email address', phone: 'Read the phone number' },
  pkce: true,
  options: {
    lang_id: z
      .literal([0, 1, 3, 4, 6, 15, 16, 82])
      .optional()
      .describe(
        "Language of VK's pages: 0 Russian, 1 Ukrainian, 3 English, 4 Spanish, 6 German, 15 Polish, 16 French, 82 Turkish",
      ),
    scheme: z.enum(['light', 'dark']).optional().describe("Color scheme of VK's pages"),
  },
  parameters: ({ options }) => ({ lang_id: options.lang_id?.toString(), scheme: options.scheme }),
  // VK identifies the user's device in the callback, and accepts the code only together with it.
  tokenParameters: ({ device_id }) => ({ device_id }),
  profile: async ({ post, options, tokens }) => {
    const data = await post(undefined, { access_token: tokens.accessToken ?? '', client_id: clientIdsOf(options)[0] ?? '' })
    const { user_id: id, first_name, last_name, avatar: image, email } = membersOf(membersOf(data).user)
    const name = [firstText(first_name), firstText(last_name)].filter(Boolean).join(' ')
    return { profile: { id, name, email, image, emailVerified: true }, data: Object(data), needsEmail: true }
  },
})
