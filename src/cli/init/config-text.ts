/** The text of a new `auth.config.ts`: short, and with the reason for each line that may surprise. */

export interface ConfigText {
  readonly appName: string
  readonly adminEmail: string
  /** resource → actions. */
  readonly permissions: Readonly<Record<string, readonly string[]>>
}

export function configText({ appName, adminEmail, permissions }: ConfigText): string {
  const permitted = Object.entries(permissions).map(
    ([resource, actions]) => `        ${key(resource)}: [${actions.map(quoted).join(', ')}],\n`,
  )
  return `import { defineConfig } from 'latchkey/config'

// \`latchkey config schema\` describes every option, \`latchkey config show --origin\` shows what each is at present.
// The secret and the addresses (of this service, the database, Redis) are in .env, or in the environment, which wins:
// LATCHKEY_SECRET, LATCHKEY_BASE_URL, DATABASE_URL, REDIS_URL; each also as a file, such as LATCHKEY_SECRET_FILE.
export default defineConfig({
  appName: ${quoted(appName)},
  emailAndPassword: {
    enabled: true,
    // NIST SP 800-63B advises 15 characters where a password is the only factor.
    minPasswordLength: 15,
  },
  // Refuses new passwords that are common or breached, or made of the name of the user or of this service.
  passwordRules: true,
  // A page that describes the API, at /api/auth/reference, open to everybody who can call it.
  openAPI: true,
  // What \`latchkey seed\` writes to the database.
  seed: {
    roles: {
      admin: {
${permitted.join('')}      },
    },
    // Without \`passwordEnv\` an administrator gets a link, shown once, that sets the password.
    admins: [{ email: ${quoted(adminEmail)}, name: 'Administrator', role: 'admin' }],
  },
})
`
}

const quoted = (text: string): string =>
  text.includes("'") && !/["\\]/.test(text) ? `"${text}"` : `'${text.replaceAll(/[\\']/g, '\\$&')}'`
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))
