/** States of the page of API keys, for the accessibility tests. */
import { prepareResponse } from '../kit/hosted-pages.ts'
import type { Lead, States } from './leads.ts'

const at = '2026-05-01T10:00:00.000Z'
const apiKey = {
  ...{
    id: 'a-key',
    name: 'Nightly backup of the harbour database and of the archive',
    start: 'acme_x',
    prefix: 'acme_',
    userId: 'ada',
  },
  ...{ refillInterval: null, refillAmount: null, lastRefillAt: null, enabled: true, rateLimitEnabled: false },
  ...{ rateLimitTimeWindow: null, rateLimitMax: null, requestCount: 3, remaining: 12_000, lastRequest: at, expiresAt: null },
  ...{ createdAt: at, updatedAt: at, permissions: { projects: ['read', 'write'], archive: ['read'] }, metadata: null },
}
const unnamed = { ...apiKey, id: 'another', name: null, permissions: null, lastRequest: null, remaining: null, expiresAt: at }
const disabled = { ...apiKey, id: 'third', name: 'CI', start: null, enabled: false }

const listed =
  (keys: readonly object[], text: string): Lead =>
  async (page) => {
    prepareResponse('/api-key/list', keys)
    await page.reload()
    await page.getByText(text).first().waitFor()
  }

const filled = listed([apiKey, unnamed, disabled], 'Nightly backup')

const chooses =
  (...items: readonly string[]): Lead =>
  async (page) => {
    await filled(page)
    await page.getByRole('button', { name: /^Actions for the API key Nightly/ }).click()
    for (const name of items) await page.getByRole('menuitem', { name }).click()
    await page.getByRole('menu').or(page.getByRole('dialog')).or(page.getByRole('alertdialog')).first().waitFor()
  }

const opensForm: Lead = async (page) => {
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('dialog').waitFor()
}

const createWith =
  (status: number, json: object, text: string): Lead =>
  async (page) => {
    prepareResponse('/api-key/create', json, status)
    await opensForm(page)
    await page.getByRole('dialog').getByLabel('Name').fill('Backup')
    await page.keyboard.press('Enter')
    await page.getByText(text).waitFor()
  }

const failed: Lead = async (page) => {
  // With status 400, the page shows it immediately: failures of the server are repeated for three seconds first.
  prepareResponse('/api-key/list', { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }, 400)
  await page.reload()
  await page.getByText('INTERNAL_SERVER_ERROR').waitFor()
}

export const apiKeyStates: States = {
  '/account/api-keys': {
    filled,
    'load error': failed,
    menu: chooses(),
    'name dialog': chooses('Rename'),
    'revocation dialog': chooses('Revoke'),
    form: opensForm,
    'form errors': async (page) => {
      await opensForm(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
    'too many': createWith(
      400,
      { code: 'TOO_MANY_API_KEYS', message: 'Too many API keys' },
      'You have the maximum number of API keys.',
    ),
    'new key': createWith(200, { ...apiKey, key: `acme_${'x'.repeat(64)}` }, 'Copy the key now.'),
  },
}
