import { defineConfig } from 'latchkey/config'

export default defineConfig({
  appName: 'Notes',
  emailAndPassword: { enabled: true },
  trustedOrigins: ['http://localhost:5174'],
  apiKey: {
    defaultPrefix: 'notes_',
    checksum: 'require',
    keyExpiration: { defaultExpiresIn: 90 * 24 * 60 * 60 },
    // Per key: an agent makes several requests for each answer.
    rateLimit: { timeWindow: 60 * 60 * 1000, maxRequests: 1000 },
  },
})
