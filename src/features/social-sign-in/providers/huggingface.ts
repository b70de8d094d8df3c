/** https://huggingface.co/docs/hub/oauth */
import { profileFromUserInfo, provider } from '../provider.ts'
import { firstText } from '../reading.ts'

export const huggingface = provider({
  name: 'Hugging Face',
  registrationURL: 'https://huggingface.co/settings/applications/new',
  emails: 'reported',
  authorizationEndpoint: 'https://huggingface.co/oauth/authorize',
  tokenEndpoint: 'https://huggingface.co/oauth/token',
  userInfoEndpoint: 'https://huggingface.co/oauth/userinfo',
  scopes: { openid: 'Identify the user', profile: 'Read the profile', email: 'Read the email address' },
  pkce: true,
  profile: profileFromUserInfo(({ sub, name, preferred_username, email, picture, email_verified }) => ({
    id: sub,
    name: firstText(name, preferred_username),
    email,
    image: picture,
    emailVerified: email_verified,
  })),
})
