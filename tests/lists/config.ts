/** The configuration of the lists that are measured: with every column that users can have. */
import type { ConfigFile } from '../../src/features/index.ts'
import { memberCount } from './rows.ts'

export const config: ConfigFile = {
  admin: { enabled: true, listTimeout: 60_000 },
  organization: { teams: true, membershipLimit: 2 * memberCount },
  apiKey: { configurations: [{ configId: 'team', references: 'organization' }] },
  username: true,
  phoneNumber: { sendOTP: () => {} },
  anonymous: true,
  twoFactor: { otpOptions: { channels: ['sms', 'email'], sendOTP: () => {} } },
  passkey: true,
  terms: true,
  signUp: { inviteLinks: { url: 'https://app.example.com/join' }, waitingList: { url: 'https://app.example.com/sign-up' } },
  openAPI: true,
  user: {
    additionalFields: {
      company: { type: 'string', required: false, sortable: true },
      level: { type: 'number', required: false },
    },
  },
}
