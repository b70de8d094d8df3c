import { defineConfig } from 'latchkey/config'

export default defineConfig({
  appName: 'Projects',
  emailAndPassword: { enabled: true },
  organization: true,
  trustedOrigins: ['http://localhost:3000'],
})
