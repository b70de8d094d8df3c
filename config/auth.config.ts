import { defineConfig } from 'latchkey/config'

/** The configuration of this repository: `npm run dev` uses it, and `migrations/` is generated from it. */
export default defineConfig({
  appName: 'Latchkey',
  emailAndPassword: { enabled: true, minPasswordLength: 15 },
  passwordRules: true,
  emailVerification: { sendOnSignUp: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  organization: { teams: true },
  admin: true,
  apiKey: { defaultPrefix: 'latchkey_', checksum: 'require', startingCharactersConfig: { charactersLength: 13 } },
  openAPI: true,
  // In addition to the built-in `admin`, which permits everything.
  seed: { roles: { support: { user: ['list'], session: ['list', 'revoke'] } } },
})
