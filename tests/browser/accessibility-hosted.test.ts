/** The pages outside an account: accessible, usable at 320 px, translated, and right to left. */
import type { Page } from 'playwright-core'
import { withChromium } from '../kit/hosted-pages.ts'
import { inspectScreens } from './accessibility.ts'
import { loadAxe, visit } from './inspection.ts'
import { ada, addAccount, eve, limit, loadError, type States, submitEmpty, withResponse } from './leads.ts'
import { phoneStates } from './phone-states.ts'
import { factorStates } from './second-factor-states.ts'
import { signUpStates } from './sign-up-states.ts'
import { termsStates } from './terms-states.ts'

const { hostedPages } = withChromium({ reusesProfiles: true })

async function signInLimited(page: Page): Promise<void> {
  limit('/sign-in/email')
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.keyboard.press('Enter')
  await page.getByText('Too many attempts.').waitFor()
}

async function textMessage(page: Page): Promise<void> {
  const mail = { id: 'sms', kind: 'phone-verification', recipient: '+491701234567', subject: '', html: '', isText: true }
  const more = { text: '482913 is your Acme code.', code: '482913', createdAt: '2026-05-01T10:00:00Z' }
  await withResponse('/mailbox/list', 200, { mails: [{ ...mail, ...more }] })(page)
  await page.locator('main li a').first().click()
  await page.getByRole('button', { name: 'Copy the code' }).waitFor()
}

async function emptyMailbox(page: Page): Promise<void> {
  await withResponse('/mailbox/list', 200, { mails: [] })(page)
  await page.getByText('No messages yet').waitFor()
}

async function verifyLimited(page: Page): Promise<void> {
  limit('/verification-link')
  await visit(page, `${page.url()}?token=unknown`)
  await page.getByText('Too many attempts.').waitFor()
}

async function providerOffline(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor()
  await loadAxe(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await page.getByText('The server did not respond.').waitFor()
}

async function anotherAccount(page: Page): Promise<void> {
  await addAccount(page)
  await visit(page, `${page.url()}?account=another`)
  await page.getByText(eve.email).waitFor()
}

const states: States = {
  '/sign-in': {
    'form errors': submitEmpty,
    'rate limited': signInLimited,
    'provider offline': providerOffline,
    'another account': anotherAccount,
  },
  '/sign-up': { 'form errors': submitEmpty },
  '/forgot-password': { 'form errors': submitEmpty },
  '/sign-in/phone': { 'form errors': submitEmpty },
  '/forgot-password/phone': { 'form errors': submitEmpty },
  '/mailbox': {
    emails: (page) => page.locator('main li a').first().waitFor(),
    empty: emptyMailbox,
    'text message': textMessage,
    'load error': loadError('/mailbox/list'),
  },
  '/verify-email': { 'rate limited': verifyLimited },
}

const searches = {
  '/two-factor/cancel-reset': ['?token=unknown', '?done=true'],
  '/lock-account': ['?token=unknown', '?done=reset', '?done=support'],
  '/join': ['?token=unknown'],
  '/sign-in': ['?provider=github&error=account_not_linked', '?error=something'],
  '/sign-up': ['?provider=github&error=unable_to_create_user'],
  '/signed-in-again': ['?error=access_denied'],
  '/mailbox': ['?to=none', '?mail=unknown'],
  '/reset-password': ['?token=unknown', '?error=INVALID_TOKEN'],
  '/set-up': ['?token=unknown'],
  '/email-verified': ['?error=invalid_token'],
  '/email-changed': ['?error=invalid_token'],
  '/error': ['?error=INVALID_TOKEN', '?error=something', '?error=access_denied'],
  '/check-email': ['?email=ada@example.com'],
}

inspectScreens('hosted', hostedPages, { states: [states, phoneStates, factorStates, signUpStates, termsStates], searches })
