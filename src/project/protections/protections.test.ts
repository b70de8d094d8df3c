/** Every option is classified; what protects less than its default is rejected, or named by `doctor` with what follows. */
import { describe, expect, test } from 'vitest'
import { type ConfigFile, featureList } from '../../features/index.ts'
import { configParser, configShape } from '../config/parse-config.ts'
import { harmless } from './harmless.ts'
import { findWeakSettings, matchesPath, weakenings } from './index.ts'
import { standardSettings } from './settings.ts'

const parse = configParser(featureList)

const shape = configShape(featureList)
const options = [...standardSettings(shape).keys()]
const patterns = [...weakenings.flatMap(({ paths }) => paths), ...Object.values(harmless).flat()]

test('every option has a comparison, or is harmless for a reason', () => {
  expect(options.filter((path) => !patterns.some((pattern) => matchesPath(pattern, path)))).toEqual([])
})

test('every pattern names an option', () => {
  expect(patterns.filter((pattern) => !options.some((path) => matchesPath(pattern, path)))).toEqual([])
})

const base = {
  secret: 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c',
  database: { url: 'sqlite::memory:' },
  baseURL: 'https://auth.acme.test',
}

function weak(more: ConfigFile): string[] {
  const parsed = parse({ ...base, ...more })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return findWeakSettings(shape, parsed.config).map(({ id, path }) => `${id} ${path}`)
}

test('the defaults have no finding, also those of optional features', () => {
  expect(weak({})).toEqual([])
  const features: ConfigFile = {
    ...{ admin: true, organization: true, jwt: true, username: true, phoneNumber: true, multiSession: true, twoFactor: true },
  }
  const more: ConfigFile = { apiKey: true, oneTimeToken: true, passwordRules: true, haveIBeenPwned: true, openAPI: true }
  expect(weak({ ...features, ...more, emailAndPassword: { enabled: true } })).toEqual([])
})

const github = { clientId: 'id', clientSecret: 'a client secret' }
const day = 86_400
const phone = { phoneNumber: { otpLength: 4, allowedAttempts: 10, expiresIn: 3600 } }
const mapped = { ...github, providerId: 'own', authorizationUrl: 'https://o.test/a', tokenUrl: 'https://o.test/t', pkce: true }
const dangerous: [config: ConfigFile, ...findings: string[]][] = [
  [
    {
      genericOAuth: {
        config: [{ ...mapped, userInfoUrl: 'https://o.test/u', mapProfileToUser: () => ({ emailVerified: true }) }],
      },
    },
    'provider-endpoint genericOAuth.config',
  ],
  [{ genericOAuth: { config: [{ ...mapped, getUserInfo: () => null }] } }, 'provider-endpoint genericOAuth.config'],
  [{ secret: '0123456789abcdef0123456789abcdef' }, 'secret-guessable secret'],
  [{ server: { private: { token: 'changeme-please-1234567890' } } }, 'secret-guessable server.private.token'],
  [{ user: { additionalFields: { isAdmin: { type: 'boolean', required: false } } } }, 'field-of-power user.additionalFields'],
  [{ environment: 'development' }, 'development environment'],
  [{ environment: 'development', mail: { catch: true } }, 'mail-caught mail.catch'],
  [{ server: { allowPlainHTTP: true } }, 'plain-http server.allowPlainHTTP'],
  [{ advanced: { disableCSRFCheck: true } }, 'csrf-off advanced.disableCSRFCheck'],
  [{ account: { skipStateCookieCheck: true } }, 'state-cookie-off account.skipStateCookieCheck'],
  [{ trustedOrigins: ['https://*.acme.test'] }, 'origins-open trustedOrigins'],
  [{ trustedOrigins: ['http://app.acme.test'] }, 'origins-open trustedOrigins'],
  [{ advanced: { useSecureCookies: false } }, 'cookie-insecure advanced.useSecureCookies'],
  [
    { advanced: { defaultCookieAttributes: { httpOnly: false, secure: false } } },
    'cookie-script advanced.defaultCookieAttributes',
    'cookie-insecure advanced.defaultCookieAttributes',
  ],
  [
    { advanced: { cookies: { session_token: { attributes: { httpOnly: false, sameSite: 'None' } } } } },
    'cookie-script advanced.cookies.session_token.attributes',
    'cookie-samesite advanced.cookies.session_token.attributes',
  ],
  [{ advanced: { crossSubDomainCookies: true } }, 'cookie-domain advanced.crossSubDomainCookies.enabled'],
  [{ advanced: { ipAddress: { disableIpTracking: true } } }, 'proxy-header advanced.ipAddress.disableIpTracking'],
  [
    { server: { private: { port: 9000, host: '0.0.0.0', token: 'pw92kd83js74hf65dg56sa47' } } },
    'private-open server.private.host',
  ],
  [{ server: { private: { port: 9000 } } }, 'private-token server.private.port'],
  [{ mail: { from: 'a@acme.test', smtp: 'smtp://mail.acme.test', tls: 'off' } }, 'tls-off mail.tls'],
  [{ rateLimit: { enabled: false } }, 'limits-off rateLimit.enabled'],
  [{ attempts: { enabled: false } }, 'limits-off attempts.enabled'],
  [{ mailLimit: { enabled: false } }, 'limits-off mailLimit.enabled'],
  [{ smsLimit: { enabled: false } }, 'limits-off smsLimit.enabled'],
  [{ apiKey: { keepOnPasswordReset: true } }, 'api-key-longer apiKey.keepOnPasswordReset'],
  [{ apiKey: { rateLimit: { enabled: false } } }, 'limits-off apiKey.rateLimit.enabled'],
  [{ rateLimit: { max: 100_000, window: 1 } }, 'limits-raised rateLimit.max', 'limits-raised rateLimit.window'],
  [{ rateLimit: { customRules: { '/sign-in/email': false } } }, 'limit-rules rateLimit.customRules'],
  [{ attempts: { perAccount: { failures: 100 } } }, 'backoff-later attempts.perAccount.failures'],
  [{ attempts: { forgetAfter: 60 } }, 'backoff-later attempts.forgetAfter'],
  [{ sms: { send: () => {} }, phoneNumber: true }, 'sms-anywhere sms.send'],
  [{ server: { bodyLimit: 10_000_000 } }, 'body-larger server.bodyLimit'],
  [{ audit: { retention: day } }, 'audit-less audit.retention'],
  [{ verification: { disableCleanup: true } }, 'cleanup-off verification.disableCleanup'],
  [phone, ...Object.keys(phone.phoneNumber).map((name) => `otp-weaker phoneNumber.${name}`)],
  [
    { emailAndPassword: { enabled: true, resetPasswordTokenExpiresIn: day } },
    'link-longer emailAndPassword.resetPasswordTokenExpiresIn',
  ],
  [{ passwordRules: { blockCommon: false } }, 'password-common passwordRules.blockCommon'],
  [{ passwordHash: { iterations: 1 } }, 'password-hash-cheaper passwordHash.iterations'],
  [{ move: { trial: true } }, 'move-trial move.trial'],
  [{ anonymous: true }, 'anonymous-on anonymous.enabled'],
  [{ session: { expiresIn: 300 * day } }, 'session-longer session.expiresIn'],
  [
    { session: { absoluteMaxAge: 0, freshAge: 0, maxPerUser: 0 } },
    'session-endless session.absoluteMaxAge',
    'session-fresh-longer session.freshAge',
    'session-more session.maxPerUser',
  ],
  [{ session: { revokePreviousOnSignIn: false } }, 'session-previous-kept session.revokePreviousOnSignIn'],
  [
    { account: { accountLinking: { trustedProviders: ['github'] } }, socialProviders: { github } },
    'provider-trusted account.accountLinking.trustedProviders',
  ],
  [
    { account: { accountLinking: { allowDifferentEmails: true, unverifiedUsers: 'keep' } } },
    'linking-wider account.accountLinking.allowDifferentEmails',
    'linking-wider account.accountLinking.unverifiedUsers',
  ],
  [{ socialProviders: { github: { ...github, pkce: false } } }, 'provider-pkce socialProviders.github.pkce'],
  [
    { user: { changeEmail: { enabled: true, requireFreshSession: false } } },
    'fresh-not-needed user.changeEmail.requireFreshSession',
  ],
  [
    { admin: { requireFreshSession: false, impersonationRequiresFreshSession: false } },
    'fresh-not-needed admin.requireFreshSession',
    'fresh-not-needed admin.impersonationRequiresFreshSession',
  ],
  [{ notices: { sendNewSignIn: false } }, 'notice-off notices.sendNewSignIn'],
  [
    { admin: { adminUserIds: ['x'], allowImpersonatingAdmins: true } },
    'admin-added admin.adminUserIds',
    'admin-power admin.allowImpersonatingAdmins',
  ],
  [{ organization: { checkRoles: false } }, 'roles-unchecked organization.checkRoles'],
  [
    { organization: { requireEmailVerificationOnInvitation: false } },
    'invitation-unverified organization.requireEmailVerificationOnInvitation',
  ],
  [
    { jwt: { jwt: { expirationTime: '90d' }, jwks: { disablePrivateKeyEncryption: true, rotationInterval: 0 } } },
    'jwt-longer jwt.jwt.expirationTime',
    'jwt-plain-keys jwt.jwks.disablePrivateKeyEncryption',
    'jwt-rotation jwt.jwks.rotationInterval',
  ],
  [{ bearer: { requireSignature: false } }, 'bearer-unsigned bearer.enabled'],
  [
    { twoFactor: { stepUp: { enabled: false, maxAge: 3600, calls: { '/change-email': false } } } },
    'step-up-off twoFactor.stepUp.enabled',
    'step-up-longer twoFactor.stepUp.maxAge',
    'step-up-calls twoFactor.stepUp.calls',
  ],
  [{ twoFactor: { stepUp: { calls: { '/change-email': 3600 } } } }, 'step-up-calls twoFactor.stepUp.calls'],
  [
    { twoFactor: { skipVerificationOnEnable: true, trustDeviceMaxAge: 90 * day, newFactorProbationHours: 0 } },
    'second-factor-unverified twoFactor.skipVerificationOnEnable',
    'second-factor-trust-longer twoFactor.trustDeviceMaxAge',
    'probation-shorter twoFactor.newFactorProbationHours',
  ],
  [
    { twoFactor: { recovery: { selfService: true, selfServiceHours: 24 } } },
    'second-factor-self-reset twoFactor.recovery.selfService',
    'second-factor-reset-sooner twoFactor.recovery.selfServiceHours',
  ],
  [
    { twoFactor: { accountLockout: { enabled: false }, otpOptions: { channels: ['sms', 'email'], allowedAttempts: 10 } } },
    'second-factor-guessing twoFactor.accountLockout.enabled',
    'second-factor-guessing twoFactor.otpOptions.allowedAttempts',
    'second-factor-email twoFactor.otpOptions.channels',
  ],
  [
    { twoFactor: { trustProviders: ['github'], totpOptions: { disable: true } }, phoneNumber: true },
    'second-factor-providers twoFactor.trustProviders',
    'second-factor-app-off twoFactor.totpOptions.disable',
  ],
]

test('calls that demand a newer proof of a second factor weaken nothing', () => {
  expect(weak({ twoFactor: { stepUp: { calls: { '/change-email': 60 } }, trustDeviceMaxAge: 0 } })).toEqual([])
})

test('a rule that demands a second factor is weaker without a role, with another method, or with more time', () => {
  const rules = weakenings.find(({ id }) => id === 'second-factor-rules')
  const isWeaker = (from: readonly object[], to: readonly object[]) => rules?.isWeaker(from, to, new Map())
  const rule = { roles: ['admin'], graceDays: 3 }
  for (const weaker of [
    { roles: ['support'], graceDays: 3 },
    { ...rule, graceDays: 4 },
    { ...rule, methods: ['passkey', 'totp', 'sms'] },
    { ...rule, trustedDevices: true },
  ])
    expect(isWeaker([{ ...rule, trustedDevices: false }], [weaker]), JSON.stringify(weaker)).toBe(true)
  expect([isWeaker([rule], []), isWeaker([{ ...rule, latest: '2027-01-01' }], [rule])]).toEqual([true, true])
  expect([isWeaker([{ ...rule, apiKeys: false }], [rule]), isWeaker([], [rule])]).toEqual([true, false])
  expect(isWeaker([rule], [{ everyone: true }, { ...rule, graceDays: 0, methods: ['passkey'] }])).toBe(false)
})

describe('doctor names', () => {
  test.each(dangerous)('%j', (config, ...findings) => expect(weak(config)).toEqual(expect.arrayContaining(findings)))
})
