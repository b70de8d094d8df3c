/** https://huggingface.co/docs/hub/oauth */
import { z } from 'zod'
import { maybeText, profileFromUserInfo, provider } from '../provider.ts'

const userInfo = z.looseObject({
  sub: z.string(),
  name: maybeText,
  preferred_username: maybeText,
  email: maybeText,
  picture: maybeText,
  email_verified: z.boolean().nullish(),
})

export const huggingface = provider({
  name: 'Hugging Face',
  registrationURL: 'https://huggingface.co/settings/applications/new',
  emails: 'reported',
  authorizationEndpoint: 'https://huggingface.co/oauth/authorize',
  tokenEndpoint: 'https://huggingface.co/oauth/token',
  userInfoEndpoint: 'https://huggingface.co/oauth/userinfo',
  scopes: { openid: 'Identify the user', profile: 'Read the profile', email: 'Read the email address' },
  pkce: true,
  profile: profileFromUserInfo(userInfo, ({ sub, name, preferred_username, email, picture, email_verified }) => ({
    id: sub,
    name: name || preferred_username || '',
    email: email ?? null,
    image: picture,
    emailVerified: email_verified ?? false,
  })),
})
