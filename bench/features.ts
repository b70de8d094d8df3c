/**
 * Options that enable features, by feature. Left out: what makes calls to other servers, which are the captcha, the breached
 * passwords of Have I Been Pwned, and mail.
 */
import { type Options, organizations } from './daemon.ts'

export const features: Readonly<Record<string, Options>> = {
  organization: organizations,
  admin: { admin: 'true' },
  jwt: { jwt: 'true' },
  apiKey: { apiKey: 'true' },
  username: { username: 'true' },
  phoneNumber: { phoneNumber: 'true', sms: '{ send: async () => {} }' },
  multiSession: { multiSession: 'true' },
  oneTimeToken: { oneTimeToken: 'true' },
  anonymous: { anonymous: 'true' },
  bearer: { bearer: 'true' },
  socialProviders: { socialProviders: `{ github: { clientId: 'id', clientSecret: 'secret' } }` },
  passwordRules: { passwordRules: 'true' },
  customSession: { customSession: '({ session, user }) => ({ session, user })' },
  hooks: { hooks: '{ before: async () => {}, after: async () => {} }' },
  databaseHooks: { databaseHooks: '{ user: { update: { before: async () => {}, after: async () => {} } } }' },
  openAPI: { openAPI: 'true' },
}

/** @param name of a feature, or `all` @throws Error for an unknown name */
export function optionsOf(name: string): Options {
  if (name === 'all') return Object.assign({}, ...Object.values(features))
  const options = features[name]
  if (!options) throw new Error(`Unknown feature ${name}: expected all, each, or one of ${Object.keys(features).join(', ')}`)
  return options
}
