/** A user with an authenticator app, and the codes that it shows. */

import type { ConfigFile } from '../../src/features/index.ts'
import { hotp, parseBase32, timeStep } from '../../src/lib/totp.ts'
import { type TestApp, type TestOptions, testApp } from './app.ts'
import type { Answer, Browser } from './browser.ts'
import { password, signUp } from './members.ts'

/** An authenticator app that has scanned this URI. */
export function authenticator(totpURI: string, { now }: { readonly now: () => Date }) {
  const { searchParams } = new URL(totpURI)
  const key = parseBase32(searchParams.get('secret') ?? '') ?? new Uint8Array()
  const [digits, period] = [Number(searchParams.get('digits')), Number(searchParams.get('period'))]
  /** The code that it shows now, or so many steps later. */
  return (later = 0): string => hotp(key, timeStep(now().getTime(), period) + later, { digits, algorithm: 'SHA1' })
}

export const enable = (browser: Browser, body: object = {}) =>
  browser.call('POST /two-factor/enable', { body: { password, ...body } as never })
export const verify = (browser: Browser, code: string, more: object = {}) =>
  browser.call('POST /two-factor/verify-totp', { body: { code, ...more } })
export const signInAs = (browser: Browser, name: string, more: object = {}) =>
  browser.call('POST /sign-in/email', { body: { email: `${name.toLowerCase()}@example.com`, password, ...more } })

/** Whether a response gives its client a session. */
export const hasSession = ({ setCookie }: Answer): boolean => setCookie.some((header) => /session_(token|data)=[^;]/.test(header))

/** Enables an app for the user of a browser, and waits until its next code. */
export async function enrol({ clock, app }: Pick<TestApp, 'clock' | 'app'>, browser: Browser) {
  const { body } = await enable(browser)
  const code = authenticator(body.totpURI, app)
  const first = await verify(browser, code())
  if (first.status !== 200) throw new Error(`The app was not enabled: ${JSON.stringify(first.body)}`)
  clock.advance(30)
  return { code, backupCodes: body.backupCodes as readonly string[] }
}

/** Ann with an app, signed in. */
export async function withAnn(config: ConfigFile = {}, options: TestOptions = {}) {
  const kit = await testApp({ twoFactor: true, appName: 'Acme', ...config }, options)
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  return { ...kit, ann, userId, ...(await enrol(kit, ann)) }
}
