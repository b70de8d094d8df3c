/** The calls of second factors in the audit log, for `audit.test.ts`. */
import { tokenOf } from '../../src/features/second-factor/pending-resets.ts'
import { resetFactors } from '../../src/features/second-factor/resets.ts'
import type { TestApp } from '../kit/app.ts'
import type { Answer, Browser } from '../kit/browser.ts'
import { authenticator, enable, enrol, verify } from '../kit/second-factor.ts'

interface Opened extends TestApp {
  readonly user: Browser
  readonly userId: string
}

const password = 'correct horse battery'
const order = { requestedBy: 'operator', administratorId: null, reason: null, factors: ['totp'] } as const
const withPassword = { body: { password } }

/** The code of an app that is set up. */
const pendingCode = async ({ app, user }: Opened) => authenticator((await enable(user)).body.totpURI, app)()

/** Enables codes by text message. */
async function enableTexts(kit: Opened): Promise<void> {
  const columns = { phoneNumber: '+15555550123', phoneNumberVerified: true }
  await kit.app.db.updateTable('user').set(columns).where('id', '=', kit.userId).execute()
  await enable(kit.user, { method: 'otp', channel: 'sms' })
}

interface Entry<K> {
  readonly prepare?: (kit: K) => Promise<unknown>
  readonly run: (kit: K, prepared: never) => Promise<Answer>
  readonly records: readonly string[]
}

/** @param sentCode reads the code that was sent last */
export const secondFactorEntries = <K extends Opened>(
  sentCode: (kit: K) => Promise<string>,
): Readonly<Record<string, Entry<K>>> => ({
  'POST /two-factor/enable': {
    prepare: async ({ app, userId }) => {
      const columns = { phoneNumber: '+15555550123', phoneNumberVerified: true }
      await app.db.updateTable('user').set(columns).where('id', '=', userId).execute()
    },
    run: ({ user }) => enable(user, { method: 'otp', channel: 'sms' }),
    records: ['two-factor.enabled', 'two-factor.backup-codes-created'],
  },
  'POST /two-factor/verify-totp': {
    prepare: pendingCode,
    run: ({ user }, code: string) => verify(user, code),
    records: ['two-factor.enabled', 'two-factor.backup-codes-created'],
  },
  'POST /two-factor/verify-otp': {
    prepare: async (kit) => {
      await enableTexts(kit)
      await kit.user.call('POST /two-factor/send-otp', {})
      return sentCode(kit)
    },
    run: ({ user }, code: string) => user.call('POST /two-factor/verify-otp', { body: { code } }),
    records: ['two-factor.stepped-up'],
  },
  'POST /two-factor/verify-backup-code': {
    prepare: async (kit) => (await enrol(kit, kit.user)).backupCodes[0],
    run: ({ user }, code: string) => user.call('POST /two-factor/verify-backup-code', { body: { code } }),
    records: ['two-factor.backup-code-used', 'two-factor.stepped-up'],
  },
  'POST /two-factor/cancel-reset': {
    prepare: async (kit) => {
      await enrol(kit, kit.user)
      await resetFactors(kit.app, kit.userId, { ...order, hours: 1 })
      const { id } = await kit.app.db.selectFrom('factorReset').select('id').executeTakeFirstOrThrow()
      return tokenOf(kit.app, id)
    },
    run: ({ user }, token: string) => user.call('POST /two-factor/cancel-reset', { body: { token } }),
    records: ['two-factor.reset-cancelled'],
  },
  'POST /two-factor/rehearse-backup-code': {
    prepare: async (kit) => (await enrol(kit, kit.user)).backupCodes[0],
    run: ({ user }, code: string) => user.call('POST /two-factor/rehearse-backup-code', { body: { code } }),
    records: ['two-factor.backup-code-rehearsed'],
  },
  'POST /two-factor/get-totp-uri': {
    prepare: async (kit) => void (await enrol(kit, kit.user)),
    run: ({ user }) => user.call('POST /two-factor/get-totp-uri', withPassword),
    records: ['two-factor.secret-shown'],
  },
  'POST /two-factor/generate-backup-codes': {
    prepare: async (kit) => void (await enrol(kit, kit.user)),
    run: ({ user }) => user.call('POST /two-factor/generate-backup-codes', withPassword),
    records: ['two-factor.backup-codes-created'],
  },
  'POST /two-factor/disable': {
    prepare: async (kit) => void (await enrol(kit, kit.user)),
    run: ({ user }) => user.call('POST /two-factor/disable', withPassword),
    records: ['two-factor.disabled'],
  },
  'POST /two-factor/revoke-trusted-device': {
    prepare: async (kit) => {
      const { code } = await enrol(kit, kit.user)
      await verify(kit.user, code(), { trustDevice: true })
      return (await kit.user.call('GET /two-factor/list-trusted-devices', {})).body[0].id
    },
    run: ({ user }, id: string) => user.call('POST /two-factor/revoke-trusted-device', { body: { id } }),
    records: ['trusted-device.removed'],
  },
  'POST /two-factor/revoke-trusted-devices': {
    prepare: async (kit) => {
      const { code } = await enrol(kit, kit.user)
      await verify(kit.user, code(), { trustDevice: true })
    },
    run: ({ user }) => user.call('POST /two-factor/revoke-trusted-devices', {}),
    records: ['trusted-device.removed'],
  },
})

/** Calls that record nothing when they succeed, and why. */
export const exemptOfSecondFactor: Readonly<Record<string, string>> = {
  'POST /two-factor/send-otp': 'the sign-in that it belongs to is recorded (`two-factor.challenged`)',
  'POST /two-factor/send-reset-codes': 'the sign-in that it belongs to is recorded (`two-factor.challenged`)',
  'POST /two-factor/request-reset': 'is recorded, and needs emails: `src/features/second-factor/recovery.test.ts`',
  'POST /two-factor/cancel': 'gives up a sign-in that is recorded (`two-factor.challenged`)',
}
