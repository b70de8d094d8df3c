import { defineConfig } from 'latchkey/config'

/** The configuration of this repository: `npm run dev` uses it, and `migrations/` is generated from it. */
export default defineConfig({
  appName: 'Latchkey',
  emailAndPassword: { enabled: true, minPasswordLength: 15 },
  passwordRules: true,
  emailVerification: { sendOnSignUp: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  organization: { teams: true },
  username: true,
  // `latchkey dev` shows text messages in the mailbox instead of sending them.
  phoneNumber: {
    signUpOnVerification: { getTempEmail: (phoneNumber) => `${phoneNumber.slice(1)}@phone.example.com` },
  },
  admin: true,
  jwt: true,
  bearer: true,
  multiSession: true,
  apiKey: { defaultPrefix: 'latchkey_', checksum: 'require', startingCharactersConfig: { charactersLength: 13 } },
  oneTimeToken: true,
  anonymous: true,
  openAPI: true,
  // In addition to the built-in `admin`, which permits everything.
  seed: { roles: { support: { user: ['list'], session: ['list', 'revoke'] } } },
})
