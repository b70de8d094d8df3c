/** States of second factors: on the page of a sign-in, in the account area, and in the dialog of a dangerous action. */
import type { Page } from 'playwright-core'
import { prepareResponse } from '../kit/hosted-pages.ts'
import { ada, type Lead, loadError, reloading, type States } from './leads.ts'

const date = '2026-05-01T10:00:00Z'
const past = '2026-01-01T10:00:00Z'
const methods = [
  { type: 'totp' },
  { type: 'otp', channel: 'sms', to: '•••• ••67' },
  { type: 'otp', channel: 'email', to: 'a…@example.com' },
  { type: 'backup-code', left: 7 },
]
const backupCodes = ['ymeQ3-eCpLm', 'ly6I5-7uB3p', 'Vqn8v-pmJZt', 'QaW9p-xI9C3', 'y71kB-IzzPr', 'cUw5q-SJYBC']
const secret = 'GAYTEMZUGU3DOOBZMFRGGZDFMZTWQ2LKNNWG23TPOBYXE43UOV3A'

const recovery = {
  hours: 72,
  channels: [
    { channel: 'sms', to: '•••• ••67' },
    { channel: 'email', to: 'a…@example.com' },
  ],
}

const administrators = [
  { organization: 'Acme', names: ['Ada Lovelace', 'Grace Hopper'] },
  { organization: 'Halden Ferry', names: ['Grace Hopper'] },
]

/** The challenge of a sign-in that waits for a second factor. */
function prepareChallenge(given: readonly object[] = methods): void {
  const more = { kind: 'verify', email: 'a…@example.com', expiresAt: date, expiresIn: 600, trustDevice: true, failures: 0 }
  prepareResponse('/two-factor/challenge*', { ...more, methods: given, recovery, resetAt: date, administrators })
}

/** A user who has signed in with the last backup code. */
const prepareLastCode = (): void => prepareResponse('/two-factor/status', status({ backupCodesLeft: 0 }))

/** What a page shows only to some users: without it, the page leads elsewhere. */
export const preparations: Readonly<Record<string, () => void>> = {
  '/two-factor': prepareChallenge,
  '/two-factor/recover': prepareChallenge,
  '/two-factor/new-codes': prepareLastCode,
}

/** Opens the page of the challenge. */
const challenged =
  (search = '', given = methods): Lead =>
  async (page) => {
    prepareChallenge(given)
    await page.goto(`${new URL('/two-factor', page.url()).href}${search}`)
    await page.getByRole('heading', { level: 1, name: 'Second factor' }).waitFor()
  }

/** Opens the page for users who have lost their second factors. */
const recovers =
  (search: string): Lead =>
  async (page) => {
    prepareChallenge()
    await page.goto(`${new URL('/two-factor/recover', page.url()).href}${search}`)
    await page.getByRole('heading', { level: 1, name: 'Lost second factor' }).waitFor()
  }

const wrongCode: Lead = async (page) => {
  prepareResponse('/two-factor/verify-totp', { code: 'INVALID_CODE', message: 'Invalid code' }, 401)
  await challenged()(page)
  await page.getByLabel('Code').fill('000000')
  await page.locator('main [aria-invalid=true]').waitFor()
}

const status = (given: object = {}) => ({
  enabled: true,
  methods: methods.slice(0, 3).map((method) => ({
    ...method,
    ...{ createdAt: date, addedWith: 'Samsung Internet 28 on Android', lastUsedAt: date },
  })),
  enabledMethods: ['totp', 'otp'],
  ...{ backupCodesLeft: 7, rehearsalAt: null, trustedDevices: 1 },
  session: { acr: 'urn:latchkey:acr:2', amr: ['pwd', 'otp'], authenticatedAt: date },
  ...given,
})

const asksForCodes: Lead = async (page) => {
  prepareLastCode()
  await page.goto(new URL('/two-factor/new-codes', page.url()).href)
  await page.getByRole('heading', { level: 1, name: 'That was your last backup code' }).waitFor()
}

const showsNewCodes: Lead = async (page) => {
  prepareResponse('/two-factor/generate-backup-codes', { status: true, backupCodes })
  await asksForCodes(page)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Create codes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keep your backup codes' }).waitFor()
}

const browser = { id: 'one', name: 'Firefox on Linux', createdAt: date, lastUsedAt: date, expiresAt: '2026-05-31T10:00:00Z' }

const passkey = {
  ...{ id: 'one', name: 'Blue key', provider: null, publicKey: 'pQEC', userId: 'ada', credentialID: '2uHd8f', counter: 9 },
  ...{ deviceType: 'singleDevice', backedUp: false, transports: 'usb', aaguid: null, rpID: 'localhost' },
  ...{ createdAt: date, addedWith: null, lastUsedAt: date, suspendedAt: date },
}

/** Reloads the page as a user with a passkey whose counter went back. */
const suspended: Lead = reloading(async (page) => {
  prepareResponse('/passkey/list-user-passkeys', [passkey])
  await page.reload()
  await page.getByRole('button', { name: 'Use again: Blue key' }).waitFor()
})

const usesAgain: Lead = async (page) => {
  await suspended(page)
  await page.getByRole('button', { name: 'Use again: Blue key' }).click()
  await page.getByRole('alertdialog').waitFor()
}

/** Reloads the page as a user who has every second factor. */
const withFactors = (given: object = {}): Lead =>
  reloading(async (page) => {
    prepareResponse('/two-factor/status', status(given))
    prepareResponse('/two-factor/list-trusted-devices', [
      { ...browser, isCurrent: true },
      { ...browser, id: 'two', name: null, isCurrent: false },
    ])
    await page.reload()
    await page.getByRole('button', { name: 'Replace app' }).waitFor()
  })

async function enterPassword(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
  await dialog.getByRole('button', { name: button, exact: true }).click()
}

const setsUp: Lead = async (page) => {
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  await page.getByRole('dialog').waitFor()
}

const scans: Lead = async (page) => {
  const totpURI = `otpauth://totp/Acme:ada%40example.com?secret=${secret}&issuer=Acme&digits=6&period=30`
  prepareResponse('/two-factor/enable', { method: 'totp', totpURI, backupCodes })
  await setsUp(page)
  await enterPassword(page, 'Next')
  await page.getByRole('dialog').getByRole('img').waitFor()
}

const keepsCodes: Lead = async (page) => {
  prepareResponse('/two-factor/verify-totp', { token: 'x', user: {} })
  await scans(page)
  await page.getByRole('dialog').getByLabel('Code', { exact: true }).fill('123456')
  await page.getByRole('dialog', { name: 'Backup codes' }).waitFor()
}

const removes: Lead = async (page) => {
  await withFactors()(page)
  await page.getByRole('button', { name: 'Remove app' }).click()
  await page.getByText('You can still sign in with:').waitFor()
}

const stepsUp: Lead = async (page) => {
  const details = { acr: 'urn:latchkey:acr:2', maxAge: 900, methods, availableAt: date }
  prepareResponse('/two-factor/disable', { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh', details }, 403)
  await removes(page)
  await enterPassword(page, 'Remove app')
  await page.getByText('You added this second factor a short time ago.').waitFor()
}

const stepsUpByText: Lead = async (page) => {
  prepareResponse('/two-factor/send-otp', { status: true })
  await stepsUp(page)
  const dialog = page.getByRole('dialog', { name: 'Confirm with your second factor' })
  await dialog.getByRole('button', { name: 'Code by text message' }).click()
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await dialog.getByRole('button', { name: 'New code in' }).waitFor()
}

const rehearses: Lead = async (page) => {
  prepareResponse('/two-factor/rehearse-backup-code', { status: true, replacement: backupCodes[0] })
  await withFactors({ rehearsalAt: past })(page)
  await page.getByRole('button', { name: 'Try a backup code' }).click()
  await page.getByRole('dialog').getByLabel('Backup code').fill('Vqn8v-pmJZt')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('dialog', { name: 'The code is right' }).waitFor()
}

const endsTrust: Lead = async (page) => {
  await withFactors()(page)
  await page.getByRole('button', { name: 'End trust in Firefox on Linux' }).click()
  await page.getByRole('alertdialog').waitFor()
}

export const factorStates: States = {
  '/two-factor': {
    'code of the app': challenged(),
    'wrong code': wrongCode,
    'code by text message': challenged('?method=sms'),
    'code was sent': challenged('?method=sms&sent=again'),
    'backup code': challenged('?method=backup-code'),
    'no way': challenged('', []),
  },
  '/two-factor/recover': { request: recovers(''), 'codes were sent': recovers('?sent=true') },
  '/two-factor/new-codes': { 'last backup code': asksForCodes, 'new codes': showsNewCodes },
  '/account/security': {
    'every factor': withFactors(),
    'few backup codes': withFactors({ backupCodesLeft: 1 }),
    'load error': loadError('/two-factor/status'),
    'password for an app': setsUp,
    'QR code': scans,
    'backup codes': keepsCodes,
    removal: removes,
    'second factor demanded': stepsUp,
    'code by text message': stepsUpByText,
    'end of trust': endsTrust,
    'suspended passkey': suspended,
    'use of a suspended passkey': usesAgain,
    'rehearsal is due': withFactors({ rehearsalAt: past }),
    rehearsal: rehearses,
  },
}
