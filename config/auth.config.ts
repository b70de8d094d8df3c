import { defineConfig } from 'latchkey/config'
import { roles } from './roles.ts'

/** The configuration of this checkout: what `npm run dev` serves, and what `migrations/` was generated from. */
export default defineConfig({
  appName: 'Latchkey',
  emailAndPassword: { enabled: true, minPasswordLength: 15 },
  passwordRules: true,
  openAPI: true,
  seed: { roles },
})
