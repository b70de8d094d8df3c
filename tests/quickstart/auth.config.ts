import { defineConfig } from 'latchkey/config'

export default defineConfig({
  baseURL: 'https://accounts.example.com',
  // Pages that may call Latchkey, and to which it may redirect.
  trustedOrigins: ['https://app.example.com'],
  // Browsers send the session cookie to app.example.com too, so that its server can read the session.
  advanced: { crossSubDomainCookies: { domain: 'example.com' } },
  emailAndPassword: { enabled: true },
})
