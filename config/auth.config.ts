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
  bearer: true,
  multiSession: true,
  oneTimeToken: true,
  anonymous: true,
  openAPI: true,
  // In addition to the built-in `admin`, which permits everything.
  seed: { roles: { support: { user: ['list'], session: ['list', 'revoke'] } } },
})
