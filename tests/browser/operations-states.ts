/** States of the pages of operators, for the accessibility tests. */
import type { Page } from 'playwright-core'
import { prepareResponse } from '../kit/hosted-pages.ts'
import { visit } from './inspection.ts'
import type { Lead, States } from './leads.ts'

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const failure = { code: 'NOT_POSSIBLE', message: 'Not possible' }

/** Opens the page again with another response of a call, until it shows a text. */
const shows =
  (path: string, json: unknown, text: string, search = ''): Lead =>
  async (page) => {
    prepareResponse(path, json)
    await visit(page, `${page.url().replace(/\?.*/, '')}${search}`)
    await page.getByText(text).first().waitFor()
  }
const fails =
  (path: string): Lead =>
  async (page) => {
    prepareResponse(path, failure, 400)
    await page.reload()
    await page.getByText(failure.code).first().waitFor()
  }

const mail = {
  id: 'a-mail',
  kind: 'verification',
  recipient: 'ada.lovelace.of.the.analytical.engine@mathematics.department.haldenferry.example',
  attempts: 8,
  lastError: 'ECONNREFUSED',
  createdAt: at(-90),
  nextAttemptAt: null,
  sentAt: null,
  failedAt: at(-3),
  state: 'failed',
}
const waiting = { ...mail, id: 'waiting', state: 'waiting', failedAt: null, nextAttemptAt: at(30), attempts: 2 }
const sent = { ...mail, id: 'sent', state: 'sent', failedAt: null, sentAt: at(-80), lastError: null, attempts: 1 }
const mails = { mails: [waiting, mail, sent], nextCursor: 'next', kinds: ['verification'], waiting: 1, failed: 1 }
const noMails = { mails: [], nextCursor: null, kinds: [], waiting: 0, failed: 0 }

async function retryDialog(page: Page): Promise<void> {
  await shows('/admin/list-mails*', mails, 'ECONNREFUSED')(page)
  await page.getByRole('button', { name: 'Retry 1 failed email' }).click()
  await page.getByRole('dialog').waitFor()
}

const attempts = { failures: 12, wait: 240, nextDelay: 480 }
const call = { method: 'POST', pattern: '/sign-in/email', source: 'guessing', rule: { window: 10, max: 3 } }
const report = {
  enabled: true,
  account: { failures: 2, wait: 0, nextDelay: 0 },
  network: { address: '2001:db8::/64', isKnown: true, ...attempts },
  places: 3,
  rateLimits: {
    address: '2001:db8::/64',
    enabled: false,
    storage: 'memory',
    seen: false,
    calls: [
      { ...call, count: 3, lastRequest: at(0), wait: 8 },
      { ...call, pattern: null, method: null, rule: false, count: 1, lastRequest: null, wait: 0 },
      { ...call, method: 'GET', rule: 'function', count: null, lastRequest: null, wait: null },
    ],
  },
}
const lockout = {
  id: 'one',
  account: 'key.MoYAMf_6pMQIhTIQ9FVAT',
  scope: 'place',
  failures: 12,
  blockedUntil: at(4),
  lastFailureAt: at(-1),
}

const lookUp: Lead = async (page) => {
  prepareResponse('/admin/list-lockouts*', {
    lockouts: [lockout, { ...lockout, id: 'two', scope: 'account' }],
    nextCursor: null,
  })
  await shows('/admin/explain-limits*', report, 'Locked for 4 minutes', '?account=ada@example.com&address=2001:db8::1')(page)
  await page.getByRole('button', { name: 'Show all 3 paths' }).click()
}
async function resetDialog(page: Page): Promise<void> {
  await lookUp(page)
  await page.getByRole('button', { name: 'Reset failures' }).click()
  await page.getByRole('alertdialog').waitFor()
}
async function emptyLookUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.locator('main [aria-invalid=true]').first().waitFor()
}

const finding = { settings: [], code: null, message: '' }
const explanation = {
  subject: { kind: 'email', text: 'ada@example.com' },
  userId: 'ada',
  findings: [
    { ...finding, id: 'user-found', state: 'note', values: { created: at(-9000) } },
    { ...finding, id: 'lockout', state: 'blocks', values: { wait: 30, failures: 5 } },
  ],
  refusals: [
    {
      ...{ id: 'event', at: at(-2), action: 'access.denied', outcome: 'denied', route: 'POST /organization/accept-invitation' },
      ...{
        code: 'INVALID_ORIGIN',
        reason: null,
        count: 3,
        requestId: 'BpwZ1Rk3mT8sQx0LhV2e',
        ipAddress: '2001:db8::1',
        userId: 'ada',
      },
    },
  ],
  isComplete: false,
  signIn: [{ step: 'challenge', result: 'totp', reason: 'has-factor' }],
  codes: [
    {
      ...{ code: 'INVALID_ORIGIN', of: 'api', meaning: 'The origin is not trusted.', fix: 'Add it to `trustedOrigins`.' },
      settings: ['trustedOrigins', 'baseURL'],
    },
  ],
  settings: [
    { path: 'trustedOrigins', value: ['https://app.example.com'], origin: 'file', file: 'auth.config.ts', line: 7 },
    { path: 'baseURL', value: 'https://accounts.example.com', origin: 'environment BASE_URL', file: '.env', line: 3 },
  ],
}
async function emptyExplanation(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.locator('main [aria-invalid=true]').first().waitFor()
}
const failedExplanation: Lead = async (page) => {
  prepareResponse('/admin/explain*', failure, 400)
  await visit(page, `${page.url().replace(/\?.*/, '')}?subject=ada@example.com`)
  await page.getByText(failure.code).first().waitFor()
}

const signingKey = {
  kid: 'MoYAMf6pMQIhTIQ9FVATq8Zt3VxLw2Rr',
  algorithm: 'EdDSA',
  curve: 'Ed25519',
  status: 'current',
  createdAt: at(-90_000),
  activatesAt: at(-90_000),
  endsAt: at(55),
  rotatesAt: null,
  publishedUntil: at(130),
  isReadable: true,
}
const signingKeys = {
  keys: [
    { ...signingKey, kid: '5Xn1Bc7Md4Gh6Js0FaEq8Zt3VxLw2Rr8', status: 'upcoming', activatesAt: at(55), endsAt: null },
    signingKey,
    {
      ...signingKey,
      kid: 'Rr8Yp5Xn1Bc7Md4Gh6Js0FaEq8Zt3Vx0',
      status: 'retired',
      algorithm: 'RS256',
      curve: null,
      isReadable: false,
    },
  ],
  rotationInterval: 7_776_000,
  activationDelay: 3600,
}
const oneKey = {
  ...signingKeys,
  keys: [{ ...signingKey, endsAt: null, rotatesAt: at(40_000), publishedUntil: null }],
}
async function rotateDialog(page: Page): Promise<void> {
  await shows('/admin/list-signing-keys', oneKey, 'Rotates')(page)
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByRole('alertdialog').waitFor()
}
const keyDialog =
  (item: string): Lead =>
  async (page) => {
    await shows('/admin/list-signing-keys', oneKey, 'Rotates')(page)
    await page.getByRole('button', { name: 'Actions for MoYAMf6p' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('alertdialog').waitFor()
  }

const job = {
  name: 'outbox.outbox',
  every: 15,
  lastStartedAt: at(-60),
  lastFinishedAt: at(-60),
  lastOutcome: 'failed',
  lastError: 'ECONNREFUSED',
  nextDueAt: at(-59),
  runningSince: null,
  isLate: true,
  runs: 4000,
  failures: 12,
}
const running = {
  ...job,
  name: 'sessions.sessions',
  isLate: false,
  runningSince: at(-1),
  lastOutcome: 'aborted',
  lastError: null,
}

const option = { path: 'server.port', value: 4000, default: 4000, origin: 'environment PORT', description: 'Port to listen on' }
const options = [
  option,
  { ...option, path: 'mail.smtp', value: 'smtp://user:[redacted]@mail.haldenferry.example:587', default: null, origin: 'file' },
  { ...option, path: 'baseURL', value: null, default: null, origin: '--base-url', description: null },
]
const weakness = {
  id: 'limits-off',
  path: 'rateLimit.enabled',
  message: 'Rate limits are off: passwords and codes can be guessed without limit',
  fix: 'Remove `rateLimit.enabled`',
}
const configuration = {
  options,
  weaker: [weakness],
  file: '/srv/latchkey/auth.config.ts',
  drift: { changedAt: at(-10) },
  loadedAt: at(-600),
  environment: 'production',
  version: '0.1.0',
}

const file = { name: '0001_initial', state: 'applied', appliedAt: at(-9000), appliedBy: 'halden:4812', duration: 812 }
const unapplied = { appliedAt: null, appliedBy: null, duration: null }
const migrations = {
  state: 'drifted',
  keepsFiles: true,
  files: [
    file,
    { ...file, name: '0002_teams', state: 'edited' },
    { name: '0003_limits', state: 'interrupted', ...unapplied },
    { name: '0004_audit', state: 'pending', ...unapplied },
  ],
  pending: ['0003_limits', '0004_audit'],
  ungenerated: ['add-column:user.nickname'],
  drift: [{ path: 'user.nickname', message: 'The column user.nickname is in no migration' }],
}

const check = (id: string, state: string, message: string, values: object = {}) => ({ id, state, message, values })
const health = {
  checks: [
    check('database', 'failed', 'no-response'),
    check('redis', 'warning', 'evicts', { memoryPolicy: 'allkeys-lru' }),
    check('mail', 'warning', 'failed-emails', { failed: 12 }),
    check('jobs', 'warning', 'late', { late: 2 }),
    check('audit', 'failed', 'broken', { problems: 3 }),
    check('migrations', 'warning', 'pending', { pending: 2 }),
    check('configuration', 'warning', 'changed'),
  ],
  database: { product: 'MySQL 9.7.4', latencyMs: null, isReadOnly: false, pool: { size: 20, active: 20, waiting: 4 } },
  redis: { version: '8.2.1', latencyMs: 1.2, memoryPolicy: 'allkeys-lru' },
  mail: { isConfigured: true, waiting: 3, failed: 12, oldestWaitingAt: at(-44) },
  jobs: { late: 2, failed: 1 },
  workers: [
    { host: 'halden-1', process: 4812, generation: 2 },
    { host: 'halden-1', process: 4812, generation: 2 },
  ],
  startedAt: at(-4000),
  uptime: 240_000,
  node: '24.21.0',
  version: '0.1.0',
}

const freeze = { kind: 'writes', since: at(-5), reason: 'Unknown changes', by: 'root@example.com', expiresAt: at(60) }
const revocation = {
  id: 'a-revocation',
  filter: { since: at(-120), ip: '2001:db8:1234:5678::/64', method: 'social:github' },
  reason: 'Stolen laptop',
  state: 'running',
  revoked: 1200,
  by: 'ada.lovelace.of.the.analytical.engine@mathematics.department.haldenferry.example',
  createdAt: at(-1),
  endedAt: null,
}
const incident = {
  frozen: [freeze],
  revocations: [revocation, { ...revocation, id: 'ended', state: 'completed', endedAt: at(0) }],
}

async function freezeDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Freeze: Sign-in' }).click()
  await page.getByRole('alertdialog').waitFor()
}

async function countedSessions(page: Page): Promise<void> {
  prepareResponse('/admin/incident/preview', { sessions: 12_345, users: 678, isComplete: false })
  await page.getByLabel('IP address or network').fill('192.0.2.0/24')
  await page.getByRole('button', { name: 'Count the sessions' }).click()
  await page.getByText('At least 12,345 sessions').waitFor()
}

async function noFilter(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Count the sessions' }).click()
  await page.getByText('Enter at least one filter').waitFor()
}

export const operationsStates: States = {
  '/admin/incident': {
    frozen: shows('/admin/incident', incident, 'Unknown changes'),
    'freeze dialog': freezeDialog,
    counted: countedSessions,
    'no filter': noFilter,
    'load error': fails('/admin/incident'),
  },
  '/admin/mails': {
    mails: shows('/admin/list-mails*', mails, 'ECONNREFUSED'),
    'no failed emails': shows('/admin/list-mails*', noMails, 'No failed emails', '?state=failed'),
    'no results': shows('/admin/list-mails*', noMails, 'No email matches', '?recipient=none'),
    'retry dialog': retryDialog,
    'load error': fails('/admin/list-mails*'),
  },
  '/admin/explain': {
    'form errors': emptyExplanation,
    explained: shows('/admin/explain*', explanation, 'INVALID_ORIGIN', '?subject=ada@example.com'),
    nothing: shows(
      '/admin/explain*',
      { ...explanation, refusals: [], codes: [] },
      'No refusal is recorded',
      '?subject=192.0.2.1',
    ),
    'load error': failedExplanation,
  },
  '/admin/limits': {
    'form errors': emptyLookUp,
    'looked up': lookUp,
    'reset dialog': resetDialog,
    'load error': fails('/admin/list-lockouts*'),
  },
  '/admin/signing-keys': {
    rotating: shows('/admin/list-signing-keys', signingKeys, 'A rotation is in progress'),
    'rotate dialog': rotateDialog,
    'retire dialog': keyDialog('Retire key'),
    'remove dialog': keyDialog('Reject its tokens'),
    'load error': fails('/admin/list-signing-keys'),
  },
  '/admin/jobs': {
    'late and failed': shows('/admin/list-jobs', { jobs: [job, running] }, '1 job is late'),
    'load error': fails('/admin/list-jobs'),
  },
  '/admin/configuration': {
    drift: shows('/admin/configuration', configuration, 'The configuration has changed since it was loaded'),
    'no results': shows('/admin/configuration', configuration, 'No option matches', '?search=nothing'),
    'load error': fails('/admin/configuration'),
  },
  '/admin/migrations': {
    'pending and drifted': shows('/admin/migrations', migrations, '2 migrations are pending'),
    'load error': fails('/admin/migrations'),
  },
  '/admin/health': {
    problems: shows('/admin/health', health, '2 parts do not work'),
    'load error': fails('/admin/health'),
  },
}
