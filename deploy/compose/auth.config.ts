import { defineConfig } from 'latchkey/config'

/** For compose.yaml, which sets the secret and the URLs. No TLS: these services are on a network of one host. */
export default defineConfig({
  appName: 'Latchkey',
  emailAndPassword: { enabled: true, minPasswordLength: 15 },
  passwordRules: true,
  server: {
    workers: 2,
    // The gateway of the Docker network, so that the reverse proxy on the host can pass the IP addresses of clients.
    trustedProxies: ['172.30.42.1'],
  },
  database: { tls: 'off' },
  redis: { tls: 'off' },
  // Replace Mailpit by your mail server: set SMTP_URL, and remove `tls`.
  mail: { from: 'Latchkey <no-reply@example.com>', tls: 'off' },
  // Administration at /admin. The role `admin` permits everything.
  admin: true,
  seed: {
    admins: [{ email: 'admin@example.com', name: 'Administrator', role: 'admin', passwordEnv: 'ADMIN_PASSWORD' }],
  },
})
