/** Social sign-in, and which accounts link to which users. */
import { added, anyMember, becomes, member, off, on, replaced, type Weakening, weakening } from './comparisons.ts'

const provider = (option: string) => `socialProviders.*.${option}`

export const providerWeakenings: readonly Weakening[] = [
  weakening(
    'provider-trusted',
    ['account.accountLinking.trustedProviders'],
    added,
    'The provider gets access to the user with any email address that it names',
    'Trust only providers that verify every address, or use accounts with verified addresses.',
  ),
  weakening(
    'linking-wider',
    ['account.accountLinking.allowDifferentEmails'],
    on,
    'An account with another email address can be linked, also by a thief of a session',
  ),
  weakening(
    'linking-wider',
    ['account.accountLinking.unverifiedUsers'],
    becomes('keep'),
    'Someone who signed up with the address of another person keeps access when that person links an account',
  ),
  weakening('unlink-all', ['account.accountLinking.allowUnlinkingAll'], on, 'Users can remove their last sign-in method'),
  weakening('provider-tokens-shown', ['account.exposeRefreshToken'], on, 'Scripts can read refresh tokens of providers'),
  weakening(
    'api-key-weaker',
    ['apiKey.configurations'],
    anyMember('customKeyGenerator', 'customAPIKeyValidator'),
    'A function of the configuration makes or checks the keys of a set',
  ),
  weakening('provider-pkce', [provider('pkce')], off, 'A stolen code of the provider can be used'),
  weakening('provider-pkce', ['genericOAuth.config'], member('pkce', false), 'A stolen code of a provider can be used'),
  weakening(
    'provider-endpoint',
    [
      'authorizationEndpoint',
      'tokenEndpoint',
      'userInfoEndpoint',
      'jwksUri',
      'verifyIdToken',
      'getUserInfo',
      'mapProfileToUser',
    ].map(provider),
    replaced,
    'A host or function of the configuration says who your users are',
  ),
  weakening(
    'provider-endpoint',
    ['genericOAuth.config'],
    anyMember('getUserInfo', 'mapProfileToUser'),
    'A function of the configuration says who your users are, and which email addresses are verified',
  ),
  weakening(
    'provider-overrides',
    [provider('overrideUserInfoOnSignIn')],
    on,
    'The provider replaces name and email address at each sign-in',
  ),
  weakening(
    'provider-overrides',
    ['genericOAuth.config'],
    member('overrideUserInfo', true),
    'A provider replaces name and email address at each sign-in',
  ),
]
