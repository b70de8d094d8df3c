/** A user under a rule that demands a second factor, and how they set one up while their sign-in waits. */
import type { ConfigFile } from '../../src/features/index.ts'
import { type TestOptions, testApp } from './app.ts'
import type { Browser } from './browser.ts'
import { captureMails } from './mails.ts'
import { signUp } from './members.ts'
import { authenticator, signInAs } from './second-factor.ts'

export type Rules = NonNullable<Exclude<ConfigFile['twoFactor'], boolean | undefined>['required']>
type FactorOptions = Exclude<NonNullable<ConfigFile['twoFactor']>, boolean>

const daySeconds = 86_400

/** Ann, who signed up days ago, is `staff`, and is not signed in. */
export async function withStaff(
  required: Rules,
  { twoFactor = {}, ...config }: Omit<ConfigFile, 'twoFactor'> & { readonly twoFactor?: FactorOptions } = {},
  options: TestOptions = {},
) {
  const codes = captureMails<{ otp: string }>()
  const given: ConfigFile = {
    ...{ admin: true, mail: { catch: true }, phoneNumber: true, sms: { send: () => {} }, smsLimit: { enabled: false } },
    twoFactor: { required, ...twoFactor, otpOptions: { sendOTP: codes.send, ...twoFactor.otpOptions } },
    ...config,
  }
  const kit = await testApp(given, options)
  return { ...kit, codes, ...(await addStaff(kit, 'Ann')) }
}

export async function addStaff(kit: Pick<Awaited<ReturnType<typeof testApp>>, 'app' | 'clock' | 'browser'>, name: string) {
  const { browser, userId } = await signUp(kit, name)
  await kit.app.db.updateTable('user').set({ role: 'staff', emailVerified: true }).where('id', '=', userId).execute()
  await browser.call('POST /sign-out', {})
  kit.clock.advance(3 * daySeconds)
  return { userId }
}

export const staff = { roles: ['staff'] }

/** Signs in until a second factor must be set up, and gives the code that was sent. */
export async function proveMailbox(browser: Browser, codes: { next(): Promise<{ otp: string }> }, name = 'Ann'): Promise<void> {
  const first = await signInAs(browser, name)
  if (first.body.code !== 'SECOND_FACTOR_SETUP_REQUIRED') throw new Error(JSON.stringify(first.body))
  const { otp } = await codes.next()
  const proven = await browser.call('POST /two-factor/verify-otp', { body: { code: otp } })
  if (proven.status !== 200) throw new Error(JSON.stringify(proven.body))
}

/** An app whose first code completes the sign-in. */
export async function beginApp(browser: Browser, app: { readonly now: () => Date }) {
  const { status, body } = await browser.call('POST /two-factor/enable', { body: {} })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { code: authenticator(body.totpURI ?? '', app), backupCodes: body.backupCodes as readonly string[] }
}
