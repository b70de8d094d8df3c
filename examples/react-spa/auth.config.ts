import { defineConfig } from 'latchkey/config'

export default defineConfig({
  appName: 'Notes',
  emailAndPassword: { enabled: true },
  trustedOrigins: ['http://localhost:5173'],
})
