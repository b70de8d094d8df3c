/** States of usernames and phone numbers on the pages of users. */
import { prepareResponse } from '../kit/hosted-pages.ts'
import type { Lead, States } from './leads.ts'

const number = '+49 170 1234567'

/** Requests a code by the form of the page, or of a section that `opens` opens. */
const codeSent =
  (field: string, opens?: string): Lead =>
  async (page) => {
    prepareResponse('/phone-number/send-otp', { message: 'code sent' }, 200)
    prepareResponse('/phone-number/request-password-reset', { status: true }, 200)
    if (opens !== undefined) await page.getByRole('button', { name: opens }).click()
    await page.getByLabel(field).fill(number)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByLabel('Code').waitFor()
  }

const wrongCode =
  (field: string, button: string, opens?: string): Lead =>
  async (page) => {
    prepareResponse('/phone-number/verify', { code: 'INVALID_OTP', message: 'Invalid OTP' }, 400)
    await codeSent(field, opens)(page)
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: button }).click()
    await page.getByText('The code is wrong.').waitFor()
  }

const invalidNumber: Lead = async (page) => {
  prepareResponse('/phone-number/send-otp', { code: 'INVALID_PHONE_NUMBER', message: 'Invalid phone number' }, 400)
  await page.getByLabel('Phone number').fill('0170')
  await page.keyboard.press('Enter')
  await page.locator('main [aria-invalid=true]').waitFor()
}

const withPassword: Lead = async (page) => {
  await page.getByRole('link', { name: 'Use a password instead' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
}

const addsNumber: Lead = async (page) => {
  await page.getByRole('button', { name: 'Add phone number' }).click()
  await page.getByLabel('New phone number').waitFor()
}

/** Reloads the page as a user with a verified number. */
const withNumber: Lead = async (page) => {
  await page.route('**/get-session**', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const user = { ...body.user, phoneNumber: '+491701234567', phoneNumberVerified: true }
    await route.fulfill({ response, json: { ...body, user } })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Change phone number' }).waitFor()
}

const removesNumber: Lead = async (page) => {
  await withNumber(page)
  await page.getByRole('button', { name: 'Remove' }).first().click()
  await page.getByRole('alertdialog').waitFor()
}

const username =
  (available: boolean, text: string): Lead =>
  async (page) => {
    prepareResponse('/is-username-available', { available }, 200)
    await page.getByLabel('Username').fill('ada_lovelace')
    await page.getByText(text).first().waitFor()
  }

const usernames = {
  'username available': username(true, 'ada_lovelace is available.'),
  'username taken': username(false, 'ada_lovelace is taken.'),
}

export const phoneStates: States = {
  '/sign-in/phone': {
    'invalid number': invalidNumber,
    code: codeSent('Phone number'),
    'wrong code': wrongCode('Phone number', 'Sign in'),
    'with a password': withPassword,
  },
  '/forgot-password/phone': { code: codeSent('Phone number') },
  '/sign-up': usernames,
  '/account': usernames,
  '/account/password': {
    'new phone number': addsNumber,
    'code for a phone number': codeSent('New phone number', 'Add phone number'),
    'wrong code for a phone number': wrongCode('New phone number', 'Verify', 'Add phone number'),
    'phone number': withNumber,
    'phone number removal': removesNumber,
  },
}
