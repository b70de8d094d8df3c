/** The pages of an account: accessible, usable at 320 px, translated, and right to left. */
import type { Page } from 'playwright-core'
import { securityActions } from '../../src/features/audit/index.ts'
import { featureList } from '../../src/features/index.ts'
import { prepareResponse, withChromium } from '../kit/hosted-pages.ts'
import { inspectScreens } from './accessibility.ts'
import { apiKeyStates } from './api-key-states.ts'
import { loadAxe, visit } from './inspection.ts'
import { ada, addAccount, loadError, opensDialog, type States, submitEmpty, withResponse } from './leads.ts'
import { phoneStates } from './phone-states.ts'
import { factorStates } from './second-factor-states.ts'
import { termsStates } from './terms-states.ts'

const { hostedPages } = withChromium({ reusesProfiles: true })

async function endedSession(page: Page): Promise<void> {
  prepareResponse('/update-user', { code: 'UNAUTHORIZED', message: 'Unauthorized' }, 401)
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
}

async function accountMenu(page: Page): Promise<void> {
  await addAccount(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await page.getByRole('button', { name: 'Account menu of' }).click()
  await page.getByRole('menuitemradio', { name: ada.email }).waitFor()
}

async function navigationSheet(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('dialog').waitFor()
}

async function deleteByUnknownLink(page: Page): Promise<void> {
  await visit(page, `${page.url()}?token=unknown`)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('heading', { name: 'This link cannot delete your account' }).waitFor()
}

async function linkedAccounts(page: Page): Promise<void> {
  const account = { accountId: '583231', provider: 'github', providerId: 'github', scopes: ['read:user', 'user:email'] }
  await withResponse('/list-accounts', 200, [{ ...account, id: 'a', createdAt: '2026-05-01T10:00:00Z' }])(page)
  await page.getByText('This is your only sign-in method.').waitFor()
}

async function goOffline(page: Page): Promise<void> {
  await loadAxe(page)
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
}

/** With the longest texts that events have. */
const securityEvents = securityActions({ features: Object.values(featureList) }).map((action, at) => ({
  ...{
    id: action,
    createdAt: '2026-05-01T10:00:00Z',
    action,
    outcome: at % 5 === 0 ? 'failed' : 'succeeded',
    method: 'password',
  },
  ...{ actor: at % 7 === 0 ? 'administrator' : 'user', reason: 'email-verified', count: 3 },
  ...{ device: 'Samsung Internet 28 on Android', ipAddress: '2001:db8:85a3:8d3:1319:8a2e:370:7348' },
}))

const states: States = {
  '/account': { offline: goOffline, 'session ended': endedSession, 'navigation sheet': navigationSheet, accounts: accountMenu },
  '/account/password': { 'form errors': submitEmpty, 'load error': loadError('/list-accounts'), linked: linkedAccounts },
  '/account/sessions': { 'load error': loadError('/list-sessions*', true), confirmation: opensDialog('Sign out everywhere') },
  '/account/activity': {
    'load error': loadError('/list-security-events*'),
    none: withResponse('/list-security-events*', 200, { events: [], nextCursor: null }, 'No recent activity'),
    'every kind': withResponse('/list-security-events*', 200, { events: securityEvents, nextCursor: 'next' }, 'Account banned'),
  },
  '/account/delete': { 'form errors': submitEmpty },
  '/delete-account': { 'unknown link': deleteByUnknownLink },
}

const searches = {
  '/account/password': ['?provider=github&error=account_not_linked'],
  '/delete-account': ['?token=unknown'],
}

inspectScreens('account', hostedPages, { states: [states, apiKeyStates, phoneStates, factorStates, termsStates], searches })
