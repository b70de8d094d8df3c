/** The access matrix (ASVS 8.2): every call with every kind of client, derived from the access that its route declares. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Access, freshnessOf, needsSession, type PendingSignIn, rejectsImpersonators } from '../../src/core/permissions.ts'
import { resolveSchema } from '../../src/core/route.ts'
import { mergeTables } from '../../src/core/table.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { type TestApp, testApp } from '../kit/app.ts'
import type { Browser } from '../kit/browser.ts'
import { signUp } from '../kit/members.ts'
import { enrol, hasSession, signInAs, verify } from '../kit/second-factor.ts'

/** `another user` is signed in and names what belongs to the user. The last ones present a session that is none any more. */
const callers = ['anonymous', 'user', 'another user', 'signed out', 'forged', 'expired'] as const
/** A user who has a second factor, in a browser that they trust: signed in now, without a proof of it. */
const weak = 'weak session'
/** Visitors with the cookie of a sign-in that waits for a second factor, until one is set up, or until terms are accepted. */
const pending = { verify: 'pending challenge', setup: 'setup challenge', terms: 'terms challenge' } as const
type Caller = (typeof callers)[number] | typeof weak | (typeof pending)[PendingSignIn]

/** What belongs to the user, as another user could learn it. */
interface Owned {
  readonly userId: string
  readonly sessionId: string
  readonly accountId: string
  /** The user is its only member, and it is active in their session. */
  readonly organizationId: string
  readonly memberId: string
  readonly teamId: string
  readonly apiKeyId: string
}

interface Entry {
  /** @param caller for input that may be used only once */
  readonly input?: (owned: Owned, caller: Caller) => { query?: object; body?: object; params?: object }
  /** The status for those who may call; by default for all of them. */
  readonly status: number
  /** Where it differs: what the handler makes of a caller. What the route's access refuses is not written here. */
  readonly except?: Partial<Readonly<Record<Caller, number>>>
}

const password = 'correct horse battery'
const emailOf = (caller: Caller) => `${caller.replaceAll(' ', '-')}@new.example.com`

const inOrganization = (body: object = {}) => ({
  input: ({ organizationId }: Owned) => ({ body: { organizationId, ...body } }),
})
const ofOrganization = { input: ({ organizationId }: Owned) => ({ query: { organizationId } }) }
const notOthers = (status: number) => ({ 'another user': status })
const onlyUsers = { anonymous: 401, 'signed out': 401, expired: 401, forged: 401 }
const withoutFactor = { user: 400, 'another user': 400 }

const organizationEntries: Readonly<Record<string, Entry>> = {
  'POST /organization/create': {
    input: (_, caller) => ({ body: { name: 'Beta', slug: `beta-${caller.replace(' ', '-')}` } }),
    status: 200,
  },
  'POST /organization/check-slug': { input: () => ({ body: { slug: 'free' } }), status: 200 },
  // Checked by the handler, because its response without a session is not the usual one.
  'POST /organization/update': {
    ...inOrganization({ data: { name: 'Beta' } }),
    status: 401,
    except: { user: 200, ...notOthers(400) },
  },
  // The configuration permits no policies here.
  'POST /organization/set-two-factor-policy': { ...inOrganization({ required: false }), status: 400 },
  'POST /organization/send-two-factor-reminders': { ...inOrganization(), status: 400 },
  'POST /organization/delete': { ...inOrganization(), status: 200, except: notOthers(400) },
  'POST /organization/has-permission': {
    ...inOrganization({ permissions: { member: ['create'] } }),
    status: 200,
    except: notOthers(401),
  },
  'POST /organization/set-active': { ...inOrganization(), status: 200, except: notOthers(403) },
  'GET /organization/get-full-organization': { ...ofOrganization, status: 200, except: notOthers(403) },
  'GET /organization/list': { status: 200 },
  'GET /organization/get-active-member': { status: 200, except: notOthers(400) },
  'GET /organization/get-active-member-role': { ...ofOrganization, status: 200, except: notOthers(403) },
  'GET /organization/list-members': { ...ofOrganization, status: 200, except: notOthers(403) },
  'GET /organization/list-memberships': { status: 200 },
  'GET /organization/list-roles': { ...ofOrganization, status: 200, except: notOthers(403) },
  'GET /organization/list-events': { ...ofOrganization, status: 200, except: notOthers(403) },
  'POST /organization/add-member': { ...inOrganization({ userId: 'unknown', role: 'member' }), status: 404 },
  // The user is the only owner, who cannot be removed, demoted or leave.
  'POST /organization/remove-member': {
    input: ({ organizationId, memberId }) => ({ body: { organizationId, memberIdOrEmail: memberId } }),
    status: 400,
  },
  'POST /organization/update-member-role': {
    input: ({ organizationId, memberId }) => ({ body: { organizationId, memberId, role: 'member' } }),
    status: 400,
  },
  'POST /organization/leave': { ...inOrganization(), status: 400 },
  'POST /organization/create-team': { ...inOrganization({ name: 'Design' }), status: 200, except: notOthers(403) },
  // A user cannot remove their own team.
  'POST /organization/remove-team': {
    input: ({ organizationId, teamId }) => ({ body: { organizationId, teamId } }),
    status: 403,
  },
  'POST /organization/update-team': {
    input: ({ organizationId, teamId }) => ({ body: { teamId, data: { name: 'Design', organizationId } } }),
    status: 200,
    except: notOthers(403),
  },
  'GET /organization/list-teams': { ...ofOrganization, status: 200, except: notOthers(403) },
  'POST /organization/add-team-member': {
    input: ({ organizationId, teamId, userId }) => ({ body: { organizationId, teamId, userId } }),
    status: 200,
    except: notOthers(400),
  },
  'POST /organization/remove-team-member': {
    input: ({ organizationId, teamId, userId }) => ({ body: { organizationId, teamId, userId } }),
    status: 200,
    except: notOthers(400),
  },
  'GET /organization/list-team-members': {
    input: ({ teamId }) => ({ query: { teamId } }),
    status: 200,
    except: notOthers(400),
  },
  'GET /organization/list-user-teams': { ...ofOrganization, status: 200, except: notOthers(403) },
  'POST /organization/set-active-team': { input: ({ teamId }) => ({ body: { teamId } }), status: 200, except: notOthers(400) },
  'GET /organization/get-organization': { ...ofOrganization, status: 200, except: notOthers(403) },
  'GET /organization/get-role': {
    input: ({ organizationId }) => ({ query: { organizationId, roleName: 'unknown' } }),
    status: 400,
    except: notOthers(403),
  },
  'POST /organization/create-role': {
    ...inOrganization({ role: 'auditor', permission: {} }),
    status: 200,
    except: notOthers(403),
  },
  'POST /organization/update-role': {
    ...inOrganization({ roleName: 'unknown', data: {} }),
    status: 400,
    except: notOthers(403),
  },
  'POST /organization/delete-role': { ...inOrganization({ roleName: 'unknown' }), status: 400, except: notOthers(403) },
}

const aboutUser = (body: object = {}) => ({
  input: ({ userId }: Owned) => ({ body: { userId, ...body } }),
  status: 200,
})

/** No user here has a role that permits anything. */
const adminEntries: Readonly<Record<string, Entry>> = {
  'POST /admin/set-role': aboutUser({ role: 'admin' }),
  'POST /admin/create-user': { input: (_, caller) => ({ body: { name: 'Eve', email: emailOf(caller), password } }), status: 200 },
  'POST /admin/update-user': aboutUser({ data: { name: 'Eve' } }),
  'POST /admin/ban-user': aboutUser(),
  'POST /admin/unban-user': aboutUser(),
  'GET /admin/user-lock': { input: ({ userId }) => ({ query: { userId } }), status: 200 },
  'POST /admin/lock-user': aboutUser(),
  'POST /admin/unlock-user': aboutUser(),
  'POST /admin/remove-user': aboutUser(),
  'GET /admin/export-user': { input: ({ userId }) => ({ query: { userId } }), status: 200 },
  'POST /admin/erase-user': aboutUser(),
  'POST /admin/impersonate-user': aboutUser(),
  // The user has none.
  'POST /admin/reset-two-factor': { ...aboutUser({ reason: 'Lost phone' }), status: 400 },
  'POST /admin/stop-impersonating': { status: 400 },
  'POST /admin/list-user-sessions': aboutUser(),
  'POST /admin/revoke-user-session': { input: ({ sessionId }) => ({ body: { sessionToken: sessionId } }), status: 200 },
  'POST /admin/revoke-user-sessions': aboutUser(),
  'POST /admin/set-user-password': aboutUser({ newPassword: password }),
  'POST /admin/send-password-reset': aboutUser(),
  'POST /admin/send-verification-email': aboutUser(),
  'GET /admin/list-user-accounts': { input: ({ userId }) => ({ query: { userId } }), status: 200 },
  'GET /admin/list-user-factors': { input: ({ userId }) => ({ query: { userId } }), status: 200 },
  'GET /admin/explain-sign-in': { input: ({ userId }) => ({ query: { userId } }), status: 200 },
  'GET /admin/explain': { input: () => ({ query: { subject: 'ann@example.com' } }), status: 200 },
  'POST /admin/unlink-user-account': {
    input: ({ userId, accountId }) => ({ body: { userId, accountId } }),
    status: 200,
  },
  'GET /admin/list-roles': { status: 200 },
  // Without a session, it responds for a role only.
  'POST /admin/has-permission': {
    ...aboutUser({ permissions: { user: ['ban'] } }),
    except: { anonymous: 401, 'signed out': 401, forged: 401, expired: 401 },
  },
}

const entries: Readonly<Record<string, Entry>> = {
  ...organizationEntries,
  ...adminEntries,
  'GET /get-session': { status: 200 },
  'POST /sign-out': { status: 200, except: { anonymous: 400, forged: 400 } },
  'GET /list-sessions': { status: 200 },
  'GET /list-security-events': { status: 200 },
  'POST /update-session': { status: 200 },
  'POST /revoke-session': {
    input: ({ sessionId }) => ({ body: { token: sessionId } }),
    status: 200,
    except: { 'another user': 401 },
  },
  'POST /revoke-sessions': { status: 200 },
  'POST /revoke-other-sessions': { status: 200 },
  'GET /multi-session/list-device-sessions': { status: 200 },
  'POST /multi-session/set-active': { input: () => ({ body: { sessionToken: 'unknown' } }), status: 401 },
  'POST /multi-session/revoke': { input: () => ({ body: { sessionToken: 'unknown' } }), status: 401 },
  'GET /one-time-token/generate': { status: 200 },
  'POST /one-time-token/verify': { input: () => ({ body: { token: 'unknown' } }), status: 400 },
  'POST /sign-in/anonymous': { status: 200 },
  'GET /list-accounts': { status: 200 },
  // The user's last account; the other user's list does not hold it.
  'POST /unlink-account': { input: ({ accountId }) => ({ body: { accountId } }), status: 400 },
  'POST /link-social': { input: () => ({ body: { provider: 'unknown' } }), status: 404 },
  'POST /get-access-token': { input: ({ accountId }) => ({ body: { accountId } }), status: 400 },
  'POST /refresh-token': { input: ({ accountId }) => ({ body: { accountId } }), status: 400 },
  'POST /account-info': { input: () => ({ body: { accountId: 'unknown' } }), status: 400 },
  'GET /admin/social-providers': { status: 200 },
  'GET /admin/overview': { status: 200 },
  'GET /admin/sign-in-policy': { status: 200 },
  'GET /admin/pending-counts': { status: 200 },
  'GET /admin/count-events': { status: 200 },
  'GET /admin/list-events': { status: 200 },
  'GET /admin/get-event': { input: () => ({ query: { id: 'unknown' } }), status: 404 },
  'GET /admin/audit-status': { status: 200 },
  'GET /admin/list-mails': { status: 200 },
  'POST /admin/retry-mail': { input: () => ({ body: {} }), status: 200 },
  'GET /admin/explain-limits': { input: () => ({ query: { account: 'ann@example.com' } }), status: 200 },
  'POST /admin/reset-limits': { input: () => ({ body: { account: 'ann@example.com' } }), status: 200 },
  'GET /admin/list-lockouts': { status: 200 },
  'GET /admin/list-jobs': { status: 200 },
  'GET /admin/configuration': { status: 200 },
  'GET /admin/migrations': { status: 200 },
  'GET /admin/preview-frame': { status: 200 },
  'POST /admin/preview-brand': { input: () => ({ body: { kind: 'page', name: 'sign-in', locale: 'en' } }), status: 501 },
  'POST /admin/send-test-email': { input: () => ({ body: { kind: 'unknown', locale: 'en' } }), status: 404 },
  'GET /admin/health': { status: 200 },
  'GET /admin/warnings': { status: 200 },
  'GET /admin/incident': { status: 200 },
  'POST /admin/incident/preview': { input: () => ({ body: { ip: '192.0.2.1' } }), status: 200 },
  'POST /admin/incident/revoke': { input: () => ({ body: { ip: '192.0.2.1' } }), status: 200 },
  'POST /admin/incident/freeze': { input: () => ({ body: { kind: 'sign-up' } }), status: 200 },
  'POST /admin/incident/unfreeze': { input: () => ({ body: {} }), status: 200 },
  'GET /admin/list-signing-keys': { status: 200 },
  'POST /admin/rotate-signing-key': { status: 200 },
  'POST /admin/retire-signing-key': { input: () => ({ body: { kid: 'unknown' } }), status: 404 },
  'GET /token': { status: 200 },
  'GET /jwks': { status: 200 },
  'GET /admin/list-users': { status: 200 },
  'POST /admin/preview-bulk-action': { input: () => ({ body: { action: 'ban', filter: {} } }), status: 200 },
  'POST /admin/create-bulk-action': { input: () => ({ body: { action: 'ban', filter: {} } }), status: 400 },
  'POST /admin/pause-bulk-action': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'POST /admin/resume-bulk-action': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'POST /admin/cancel-bulk-action': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'GET /admin/list-bulk-actions': { status: 200 },
  'GET /admin/get-bulk-action': { input: () => ({ query: { id: 'unknown' } }), status: 404 },
  'GET /admin/list-bulk-action-targets': { input: () => ({ query: { id: 'unknown' } }), status: 200 },
  'POST /list-export/create': {
    input: ({ organizationId }) => ({ body: { source: 'members', format: 'csv', filter: { organizationId } } }),
    status: 200,
    except: notOthers(403),
  },
  'POST /list-export/pause': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'POST /list-export/resume': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'POST /list-export/delete': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'GET /list-export/list': { status: 200 },
  'GET /list-export/get': { input: () => ({ query: { id: 'unknown' } }), status: 404 },
  'GET /list-export/download': { input: () => ({ query: { id: 'unknown' } }), status: 404 },
  'GET /admin/get-user': { input: ({ userId }) => ({ query: { id: userId } }), status: 200 },
  'GET /admin/list-user-organizations': { input: ({ userId }) => ({ query: { userId } }), status: 200 },
  'GET /admin/list-organizations': { status: 200 },
  'GET /admin/list-invite-links': { status: 200 },
  'POST /admin/create-invite-link': { input: () => ({ body: {} }), status: 200 },
  'POST /admin/revoke-invite-link': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'POST /invite-link/preview': { input: () => ({ body: { token: 'unknown' } }), status: 404 },
  'POST /invite-link/open': { input: () => ({ body: { token: 'unknown' } }), status: 404 },
  'POST /invite-link/accept': { input: () => ({ body: { token: 'unknown' } }), status: 404 },
  'GET /admin/list-waiting-list': { status: 200 },
  'POST /admin/approve-waiting-list': { input: () => ({ body: { ids: ['unknown'] } }), status: 200 },
  'POST /admin/decline-waiting-list': { input: () => ({ body: { ids: ['unknown'] } }), status: 200 },
  'POST /waiting-list/join': { input: (_, caller) => ({ body: { email: emailOf(caller) } }), status: 200 },
  'GET /admin/get-organization': { input: ({ organizationId }) => ({ query: { id: organizationId } }), status: 200 },
  'GET /admin/list-organization-members': { ...ofOrganization, status: 200 },
  'POST /admin/delete-organization': { ...inOrganization(), status: 200 },
  'GET /list-permissions': { status: 200 },
  // The account of a password has no provider, which only its user learns.
  'GET /account-info': { input: ({ accountId }) => ({ query: { accountId } }), status: 500, except: { 'another user': 400 } },
  'POST /sign-up/email': { input: (_, caller) => ({ body: { name: 'Eve', email: emailOf(caller), password } }), status: 200 },
  'POST /sign-in/email': { input: (_, caller) => ({ body: { email: emailOf(caller), password } }), status: 401 },
  'POST /sign-in/username': { input: () => ({ body: { username: 'unknown', password } }), status: 401 },
  'POST /is-username-available': { input: () => ({ body: { username: 'free' } }), status: 200 },
  'POST /sign-in/phone-number': { input: () => ({ body: { phoneNumber: '+491701234567', password } }), status: 401 },
  'POST /phone-number/send-otp': { input: () => ({ body: { phoneNumber: '+491701234567' } }), status: 200 },
  'POST /phone-number/verify': { input: () => ({ body: { phoneNumber: '+491701234567', code: '123456' } }), status: 400 },
  'POST /phone-number/request-password-reset': { input: () => ({ body: { phoneNumber: '+491701234567' } }), status: 400 },
  'POST /phone-number/forget-password': { input: () => ({ body: { phoneNumber: '+491701234567' } }), status: 400 },
  'POST /phone-number/reset-password': {
    input: () => ({ body: { phoneNumber: '+491701234567', otp: '123456', newPassword: password } }),
    status: 400,
  },
  'GET /two-factor/status': { status: 200 },
  'GET /two-factor/challenge': { status: 401 },
  'GET /two-factor/list-trusted-devices': { status: 200 },
  'POST /two-factor/cancel': { status: 200 },
  // The handler finds neither a sign-in that waits for the set-up nor a session.
  'POST /two-factor/enable': { input: () => ({ body: { password } }), status: 401, except: { user: 200, 'another user': 200 } },
  // `twoFactor.recovery.selfService` is off.
  'POST /two-factor/send-reset-codes': { status: 403 },
  'POST /two-factor/request-reset': { input: () => ({ body: { code: '123456' } }), status: 403 },
  'POST /two-factor/cancel-reset': { input: () => ({ body: { token: 'unknown' } }), status: 400 },
  'POST /two-factor/rehearse-backup-code': { input: () => ({ body: { code: '123456' } }), status: 400 },
  'POST /two-factor/disable': { input: () => ({ body: { password } }), status: 200 },
  'POST /two-factor/generate-backup-codes': { input: () => ({ body: { password } }), status: 400 },
  'POST /two-factor/get-totp-uri': { input: () => ({ body: { password } }), status: 400 },
  'POST /two-factor/revoke-trusted-device': { input: () => ({ body: { id: 'unknown' } }), status: 200 },
  'POST /two-factor/revoke-trusted-devices': { status: 200 },
  // The handler finds neither a challenge nor a session.
  'POST /two-factor/send-otp': { status: 401, except: withoutFactor },
  'POST /two-factor/verify-otp': { input: () => ({ body: { code: '123456' } }), status: 401, except: withoutFactor },
  'POST /two-factor/verify-totp': { input: () => ({ body: { code: '123456' } }), status: 401, except: withoutFactor },
  'POST /two-factor/verify-backup-code': { input: () => ({ body: { code: '123456' } }), status: 401, except: withoutFactor },
  'POST /email-otp/send-verification-otp': {
    input: (_, caller) => ({ body: { email: emailOf(caller), type: 'sign-in' } }),
    status: 200,
  },
  'POST /sign-in/email-otp': { input: (_, caller) => ({ body: { email: emailOf(caller), otp: '123456' } }), status: 400 },
  'POST /email-otp/verify-email': { input: (_, caller) => ({ body: { email: emailOf(caller), otp: '123456' } }), status: 400 },
  'POST /email-otp/check-verification-otp': {
    input: (_, caller) => ({ body: { email: emailOf(caller), type: 'sign-in', otp: '123456' } }),
    status: 400,
  },
  'POST /email-otp/request-password-reset': { input: (_, caller) => ({ body: { email: emailOf(caller) } }), status: 200 },
  'POST /forget-password/email-otp': { input: (_, caller) => ({ body: { email: emailOf(caller) } }), status: 200 },
  'POST /email-otp/reset-password': {
    input: (_, caller) => ({ body: { email: emailOf(caller), otp: '123456', password } }),
    status: 400,
  },
  'POST /email-otp/request-email-change': { input: () => ({ body: { newEmail: 'other@example.com' } }), status: 200 },
  'POST /email-otp/change-email': { input: () => ({ body: { newEmail: 'other@example.com', otp: '123456' } }), status: 400 },
  'POST /sign-in/magic-link': { input: (_, caller) => ({ body: { email: emailOf(caller) } }), status: 200 },
  'GET /magic-link/verify': { input: () => ({ query: { token: 'unknown' } }), status: 302 },
  'POST /magic-link/verify': { input: () => ({ body: { token: 'unknown' } }), status: 400 },
  'POST /magic-link/preview': { input: () => ({ body: { token: 'unknown' } }), status: 400 },
  'POST /sign-in/social': { input: () => ({ body: { provider: 'unknown' } }), status: 404 },
  'POST /sign-in/oauth2': { input: () => ({ body: { providerId: 'unknown' } }), status: 400 },
  'POST /oauth2/link': { input: () => ({ body: { providerId: 'unknown', callbackURL: '/' } }), status: 404 },
  'GET /expo-authorization-proxy': { input: () => ({ query: { authorizationURL: 'https://unknown.example' } }), status: 400 },
  'GET /callback/:id': { input: () => ({ params: { id: 'unknown' }, query: { code: 'code', state: 'unknown' } }), status: 302 },
  'POST /callback/:id': { input: () => ({ params: { id: 'unknown' }, body: { code: 'code', state: 'unknown' } }), status: 303 },
  'GET /oauth2/callback/:providerId': {
    input: () => ({ params: { providerId: 'unknown' }, query: { code: 'code' } }),
    status: 400,
  },
  'POST /oauth2/callback/:providerId': {
    input: () => ({ params: { providerId: 'unknown' }, body: { code: 'code' } }),
    status: 303,
  },
  'POST /send-verification-email': {
    input: (_, caller) => ({ body: { email: emailOf(caller) } }),
    status: 200,
    except: { user: 400, 'another user': 400 },
  },
  'GET /verify-email': { input: () => ({ query: { token: 'unknown' } }), status: 401 },
  'POST /verify-email': { input: () => ({ body: { token: 'unknown' } }), status: 401 },
  'POST /verification-link': { input: () => ({ body: { token: 'unknown' } }), status: 401 },
  'POST /verify-email/with-password': { input: () => ({ body: { token: 'unknown', password } }), status: 401 },
  'POST /verify-email/with-new-password': { input: () => ({ body: { token: 'unknown', newPassword: password } }), status: 401 },
  'POST /request-password-reset': { input: () => ({ body: { email: 'ann@example.com' } }), status: 200 },
  'POST /forget-password': { input: () => ({ body: { email: 'ann@example.com' } }), status: 200 },
  'GET /reset-password/:token': { input: () => ({ params: { token: 'unknown' }, query: { callbackURL: '/' } }), status: 302 },
  'POST /reset-password': { input: () => ({ body: { token: 'unknown', newPassword: password } }), status: 400 },
  'POST /change-password': { input: () => ({ body: { currentPassword: 'wrong', newPassword: password } }), status: 400 },
  'POST /verify-password': { input: () => ({ body: { password } }), status: 200 },
  'POST /update-user': { input: () => ({ body: { name: 'Anna' } }), status: 200 },
  'POST /change-email': { input: (_, caller) => ({ body: { newEmail: emailOf(caller) } }), status: 200 },
  // The user's organization has no other member, so it is deleted too.
  'POST /delete-user': { status: 200 },
  // The users have passwords.
  'POST /delete-anonymous-user': { status: 403 },
  'GET /delete-user/callback': { input: () => ({ query: { token: 'unknown' } }), status: 404 },
  // The users are members of no organization.
  'POST /organization/invite-member': {
    input: () => ({ body: { email: 'una@example.com', role: 'member', organizationId: 'unknown' } }),
    status: 400,
  },
  'POST /organization/accept-invitation': { input: () => ({ body: { invitationId: 'unknown' } }), status: 400 },
  'POST /organization/reject-invitation': { input: () => ({ body: { invitationId: 'unknown' } }), status: 400 },
  'POST /organization/cancel-invitation': { input: () => ({ body: { invitationId: 'unknown' } }), status: 400 },
  'GET /organization/get-invitation': {
    input: () => ({ query: { id: 'unknown' } }),
    status: 401,
    except: { user: 400, 'another user': 400 },
  },
  'GET /organization/list-invitations': { input: () => ({ query: { organizationId: 'unknown' } }), status: 403 },
  // Their email addresses are not verified.
  'GET /organization/list-user-invitations': { status: 403 },
  'POST /organization/check-invitations': {
    input: () => ({ body: { emails: ['una@example.com'], organizationId: 'unknown' } }),
    status: 400,
  },
  // Checked by the handler, because its response without a session is not the usual one.
  'POST /api-key/create': { status: 401, except: { user: 200, 'another user': 200 } },
  'POST /api-key/update': {
    input: ({ apiKeyId }) => ({ body: { keyId: apiKeyId, name: 'Eve' } }),
    status: 401,
    except: { user: 200, ...notOthers(404) },
  },
  'GET /api-key/get': { input: ({ apiKeyId }) => ({ query: { id: apiKeyId } }), status: 200, except: notOthers(404) },
  'GET /api-key/list': { status: 200 },
  'POST /api-key/delete': { input: ({ apiKeyId }) => ({ body: { keyId: apiKeyId } }), status: 200, except: notOthers(404) },
  'POST /api-key/verify': { input: () => ({ body: { key: 'unknown' } }), status: 200 },
  'POST /api-key/delete-all-expired-api-keys': { status: 200 },
  'GET /set-up': { input: () => ({ query: { token: 'unknown' } }), status: 302 },
  'POST /reset-password/check': { input: () => ({ body: { token: 'unknown' } }), status: 400 },
  'POST /lock-account/check': { input: () => ({ body: { token: 'unknown' } }), status: 400 },
  'POST /lock-account': { input: () => ({ body: { token: 'unknown' } }), status: 400 },
  'POST /set-up/check': { input: () => ({ body: { token: 'unknown' } }), status: 400 },
  'POST /set-up': { input: () => ({ body: { token: 'unknown', newPassword: password } }), status: 400 },
  'GET /mailbox/list': { status: 200 },
  'GET /mailbox/mail/:id': { input: () => ({ params: { id: 'unknown' } }), status: 404 },
  'GET /export-data': { status: 200 },
  'GET /terms/documents': { status: 200 },
  'GET /terms/document': { input: () => ({ query: { id: 'unknown', version: '1' } }), status: 404 },
  'GET /terms/pending': { status: 200, except: onlyUsers },
  'GET /terms/acceptances': { status: 200 },
  'POST /terms/accept': { input: () => ({ body: { terms: {} } }), status: 200, except: onlyUsers },
  'POST /terms/postpone': { status: 401 },
  'POST /terms/decline': { status: 200, except: onlyUsers },
  'POST /terms/cancel': { status: 200 },
  'GET /terms/export-data': { status: 401 },
  'POST /terms/delete-account': { status: 401 },
  'GET /admin/terms': { status: 200 },
  'GET /admin/list-terms-acceptances': { status: 200 },
  // No user has a picture.
  'GET /avatar/:id': { input: ({ userId }) => ({ params: { id: userId } }), status: 404 },
  'GET /organization/logo/:id': { input: ({ organizationId }) => ({ params: { id: organizationId } }), status: 404 },
  'GET /picture/:id': { input: () => ({ params: { id: 'unknown' } }), status: 404 },
  'POST /update-picture': { input: () => ({ body: { picture: null } }), status: 200 },
  'GET /public-settings': { status: 200 },
  'GET /link/:token': { input: () => ({ params: { token: 'unknown' } }), status: 302 },
  'GET /continue': { input: () => ({ query: { callbackURL: '/' } }), status: 302 },
  'GET /development': { status: 200 },
  'GET /development/docs/:page': { input: () => ({ params: { page: 'quickstart.md' } }), status: 200 },
  'GET /ok': { status: 200 },
  'GET /error': { status: 200 },
  'GET /open-api/generate-schema': { status: 200 },
  'GET /reference': { status: 200 },
  // A visitor without a session may be signing up.
  'GET /passkey/generate-register-options': { status: 200, except: onlyUsers },
  'POST /passkey/verify-registration': { input: () => ({ body: { response: {} } }), status: 400, except: onlyUsers },
  'POST /passkey/sign-up': { input: (_, caller) => ({ body: { email: emailOf(caller) } }), status: 200 },
  'POST /passkey/verify-sign-up': { input: () => ({ body: { email: 'eve@example.com', otp: '123456' } }), status: 400 },
  'GET /passkey/generate-authenticate-options': { status: 200 },
  'POST /passkey/generate-authenticate-options': { input: () => ({ body: {} }), status: 200 },
  'POST /passkey/verify-authentication': { input: () => ({ body: { response: {} } }), status: 400 },
  'GET /passkey/list-user-passkeys': { status: 200 },
  'POST /passkey/update-passkey': { input: () => ({ body: { id: 'unknown', name: 'Work' } }), status: 404 },
  'POST /passkey/delete-passkey': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'POST /passkey/restore-passkey': { input: () => ({ body: { id: 'unknown' } }), status: 404 },
  'GET /passkey/signal': { status: 200 },
  // Their only sign-in method.
  'POST /remove-password': { status: 400 },
  'GET /reference/:name': { input: () => ({ params: { name: 'objects' } }), status: 200 },
}

const send = () => undefined
const everything = {
  admin: true,
  bearer: true,
  multiSession: true,
  apiKey: true,
  oneTimeToken: true,
  anonymous: true,
  genericOAuth: { config: [] },
  jwt: true,
  openAPI: true,
  organization: { teams: true, dynamicAccessControl: true },
  username: true,
  phoneNumber: true,
  passkey: { signUp: true },
  twoFactor: true,
  terms: true,
  signUp: { inviteLinks: { url: 'https://app.example.com/join' }, waitingList: { url: 'https://app.example.com/sign-up' } },
  sms: { send },
  emailOTP: { changeEmail: { enabled: true, verifyCurrentEmail: false } },
  magicLink: true,
  mail: { catch: true },
  emailAndPassword: { enabled: true, sendResetPassword: send },
  emailVerification: { sendVerificationEmail: send },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  trustedOrigins: ['myapp://'],
}

/** Those that the access itself lets through; the others get the status that it refuses with. */
function expectedStatus(access: Access, { status, except = {} }: Entry, caller: Caller): number {
  if (access.kind === 'server') return 404
  const isSignedIn = caller === 'user' || caller === 'another user'
  if (access.kind === 'session' && !isSignedIn) return 401
  // No user here has a role.
  if (access.kind === 'session' && access.permissions) return 403
  return except[caller] ?? status
}

interface Visitors extends Record<(typeof callers)[number], Browser> {}

async function arrange({ app, browser }: TestApp): Promise<{ visitors: Visitors; owned: Owned }> {
  const signIn = async (path: 'sign-up' | 'sign-in', name: string) => {
    const visitor = browser()
    const body = { name, email: `${name}@example.com`, password }
    await visitor.request(`/${path}/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return visitor
  }
  const user = await signIn('sign-up', 'ann')
  const { id: sessionId, userId } = await app.db.selectFrom('session').select(['id', 'userId']).executeTakeFirstOrThrow()
  const account = await app.db.selectFrom('account').select('id').where('userId', '=', userId).executeTakeFirstOrThrow()
  const acme = { body: { name: 'Acme', slug: 'acme' } }
  const { id: organizationId, members } = (await user.call('POST /organization/create', acme)).body
  const [{ id: memberId, teamId }] = members
  const { id: apiKeyId } = (await user.call('POST /api-key/create', { body: {} })).body
  const [signedOut, expired, forged] = [
    await signIn('sign-in', 'ann'),
    await signIn('sign-in', 'ann'),
    await signIn('sign-in', 'ann'),
  ]
  const presented = new Map(signedOut.cookies)
  await signedOut.call('POST /sign-out', {})
  for (const [name, value] of presented) signedOut.cookies.set(name, value)
  for (const [name, value] of forged.cookies)
    forged.cookies.set(
      name,
      value.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
    )
  const visitors = {
    anonymous: browser(),
    user,
    'another user': await signIn('sign-up', 'bob'),
    'signed out': signedOut,
    expired,
    forged,
  }
  return { visitors, owned: { userId, sessionId, accountId: account.id, organizationId, memberId, teamId, apiKeyId } }
}

const routes = Object.fromEntries(Object.values(featureList).flatMap((feature) => Object.entries(feature.routes ?? {})))

test('every call has an entry', () => {
  expect(Object.keys(entries).sort()).toEqual(Object.keys(routes).sort())
})

describe.each(Object.entries(entries))('%s', (key, entry) => {
  test('responds to each kind of client as its access requires', async () => {
    const opened = await testApp(everything)
    const { visitors, owned } = await arrange(opened)
    const access = routes[key]?.declaration.access ?? { kind: 'server' }
    // Those who may do something last, so that nothing is changed for the others.
    const order: readonly Caller[] = ['anonymous', 'signed out', 'forged', 'another user', 'user', 'expired']
    const statuses: Partial<Record<Caller, number>> = {}
    for (const caller of order as readonly (typeof callers)[number][]) {
      if (caller === 'expired') opened.clock.advance(604_801)
      const response = await visitors[caller].call(key as 'GET /ok', (entry.input?.(owned, caller) ?? {}) as object)
      statuses[caller] = response.status
    }
    expect(statuses).toEqual(Object.fromEntries(callers.map((caller) => [caller, expectedStatus(access, entry, caller)])))
  })
})

describe('with a pending sign-in', () => {
  /** What the calls that accept one respond with: not the response to an anonymous client. */
  const accepted: Readonly<Record<string, Partial<Readonly<Record<PendingSignIn, string>>>>> = {
    'GET /two-factor/challenge': { verify: '200', setup: '200' },
    'POST /two-factor/cancel': { verify: '200', setup: '200' },
    'POST /two-factor/enable': { setup: '200' },
    'POST /two-factor/send-otp': { verify: '400 OTP_NOT_ENABLED', setup: '400 OTP_NOT_ENABLED' },
    'POST /two-factor/verify-otp': { verify: '400 OTP_NOT_ENABLED', setup: '400 OTP_NOT_ENABLED' },
    'POST /two-factor/verify-totp': { verify: '401 INVALID_CODE', setup: '400 TOTP_NOT_ENABLED' },
    'POST /two-factor/verify-backup-code': { verify: '401 INVALID_BACKUP_CODE' },
    'POST /two-factor/send-reset-codes': { verify: '400 OTP_NOT_ENABLED' },
    'POST /two-factor/request-reset': { verify: '400 OTP_NOT_ENABLED' },
    'GET /passkey/generate-register-options': { setup: '200' },
    'POST /passkey/verify-registration': { setup: '400 CHALLENGE_NOT_FOUND' },
    'GET /terms/pending': { terms: '200' },
    'POST /terms/accept': { terms: '400 TERMS_VERSION_IS_NOT_CURRENT' },
    'POST /terms/postpone': { terms: '400 TERMS_CANNOT_BE_POSTPONED' },
    'POST /terms/decline': { terms: '200' },
    'POST /terms/cancel': { terms: '200' },
    'GET /terms/export-data': { terms: '200' },
    'POST /terms/delete-account': { terms: '200' },
    // As to an anonymous client: the response of the authenticator is checked first.
    'POST /passkey/verify-authentication': { verify: '400 CHALLENGE_NOT_FOUND' },
  }
  const declared = Object.entries(routes).flatMap(([key, { declaration }]) =>
    (declaration.acceptsPending ?? []).map((kind) => `${key}: ${kind}`),
  )
  const twoFactor = { required: [{ roles: ['staff'] }], recovery: { selfService: true } }
  const outcome = ({ status, body }: { status: number; body: { code?: string } | null }) =>
    [status, body?.code].filter(Boolean).join(' ')

  test('the calls that accept one are in this list', () => {
    const listed = Object.entries(accepted).flatMap(([key, kinds]) => Object.keys(kinds).map((kind) => `${key}: ${kind}`))
    expect(listed.sort()).toEqual(declared.sort())
  })

  /** After an hour. The account is not deleted, but for a link that is sent. */
  const withTerms = async (): Promise<ConfigFile> => {
    const requiredFrom = new Date((await testApp()).app.now().getTime() + 3_600_000).toISOString()
    const documents = [{ id: 'privacy', version: '1', url: 'https://example.com/privacy', requiredFrom }]
    const deleteUser = { enabled: true, sendDeleteAccountVerification: true }
    return { ...everything, terms: { documents }, user: { ...everything.user, deleteUser } } as ConfigFile
  }

  test.each(['verify', 'setup', 'terms'] as const)('of kind %s, a client is anonymous for all other calls', async (kind) => {
    const opened = await testApp(kind === 'terms' ? await withTerms() : ({ ...everything, twoFactor } as ConfigFile))
    const { owned } = await arrange(opened)
    const { browser: owner, userId } = await signUp(opened, 'Dora')
    if (kind === 'terms') opened.clock.advance(3600)
    else if (kind === 'verify') await enrol(opened, owner)
    else await opened.app.db.updateTable('user').set({ role: 'staff' }).where('id', '=', userId).execute()
    const visitor = () => opened.browser()
    const responses: unknown[] = []
    const expected: unknown[] = []
    for (const [key, { declaration }] of Object.entries(routes)) {
      // Of several that wait, the oldest end.
      opened.clock.advance(1)
      const waiting = visitor()
      const begun = await signInAs(waiting, 'Dora')
      expect([begun.status, hasSession(begun)]).toEqual([kind === 'setup' ? 403 : 200, false])
      const call = (client: Browser, caller: Caller) =>
        client.call(key as 'GET /ok', (entries[key]?.input?.(owned, caller) ?? {}) as object)
      const anonymous = await call(visitor(), 'anonymous')
      const response = await call(waiting, pending[kind])
      const accepts = declaration.acceptsPending?.includes(kind)
      responses.push([key, outcome(response), hasSession(response)])
      expected.push([key, accepts ? accepted[key]?.[kind] : outcome(anonymous), !accepts && hasSession(anonymous)])
    }
    expect(responses).toEqual(expected)
  })
})

const usesSession = (access: Access) => access.kind === 'session' || access.kind === 'optional-session'
const inputOf = (key: string, owned: Owned) => (entries[key]?.input?.(owned, 'user') ?? {}) as { readonly body?: object }

/** Everything that is stored, but for the audit log and what each call changes, such as the renewal of a session. */
async function readStored({ app }: TestApp): Promise<Readonly<Record<string, readonly object[]>>> {
  const tables = Object.keys(mergeTables(app.features)).filter((name) => !['event', 'audit_head'].includes(name))
  const rows = await Promise.all(
    tables.map((name) =>
      app.db
        .selectFrom(name as 'user')
        .selectAll()
        .execute(),
    ),
  )
  return Object.fromEntries(tables.map((name, position) => [name, rows[position] ?? []]))
}

describe('during an impersonation', () => {
  /** What only reads, or changes nothing but the session of the impersonation and the profile; a new call must decide. */
  const allowed = [
    'POST /account-info',
    'POST /admin/has-permission',
    'POST /admin/list-user-sessions',
    'POST /admin/stop-impersonating',
    'POST /organization/check-invitations',
    'POST /organization/check-slug',
    'POST /organization/has-permission',
    'POST /organization/set-active',
    'POST /organization/set-active-team',
    'POST /passkey/generate-authenticate-options',
    'POST /send-verification-email',
    'POST /update-session',
    'POST /update-user',
  ]
  const rejected = (key: string) =>
    usesSession(routes[key]?.declaration.access ?? { kind: 'server' }) &&
    rejectsImpersonators(key.split(' ')[0] ?? '', routes[key]?.declaration ?? { access: { kind: 'server' } })

  test('every call that changes something is either allowed or rejected', () => {
    const open = Object.keys(routes).filter(
      (key) => key.startsWith('POST ') && usesSession(routes[key]?.declaration.access ?? { kind: 'server' }) && !rejected(key),
    )
    expect(open.sort()).toEqual(allowed)
  })

  test('the others are rejected, and change nothing', async () => {
    const opened = await testApp(everything)
    const { visitors, owned } = await arrange(opened)
    await opened.app.db.updateTable('user').set({ role: 'admin' }).where('id', '!=', owned.userId).execute()
    const administrator = visitors['another user']
    await administrator.call('POST /admin/impersonate-user', { body: { userId: owned.userId } })
    const keys = Object.keys(routes).filter(rejected)
    expect(keys.length).toBeGreaterThan(45)
    const stored = await readStored(opened)
    for (const key of keys) {
      const { status, body } = await administrator.call(key as 'GET /ok', inputOf(key, owned))
      expect([key, status, body.code]).toEqual([key, 403, 'NOT_ALLOWED_WHILE_IMPERSONATING_A_USER'])
    }
    expect(await readStored(opened)).toEqual(stored)
  })
})

describe('in a session that is not fresh', () => {
  /** The calls that change something, or with which administrators read, and the reason why an old session is enough. */
  const reasons: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      [
        ...['POST /account-info', 'POST /admin/has-permission', 'POST /admin/list-user-sessions', 'POST /verify-password'],
        ...['POST /admin/preview-brand', 'POST /admin/preview-bulk-action', 'POST /admin/incident/preview'],
        ...['POST /organization/check-slug', 'POST /organization/has-permission', 'POST /organization/check-invitations'],
      ].map((key) => [key, 'It changes nothing.']),
    ),
    ...Object.fromEntries(
      [
        ...['GET /admin/social-providers', 'GET /admin/list-roles', 'GET /admin/list-jobs', 'GET /admin/configuration'],
        ...['GET /admin/migrations', 'GET /admin/health', 'GET /admin/list-signing-keys', 'GET /admin/audit-status'],
        ...[
          'GET /admin/overview',
          'GET /admin/count-events',
          'GET /admin/warnings',
          'GET /admin/incident',
          'GET /admin/preview-frame',
        ],
        'GET /admin/sign-in-policy',
        'GET /admin/terms',
        'GET /admin/get-bulk-action',
      ].map((key) => [key, 'It shows the installation, and no user.']),
    ),
    ...Object.fromEntries(
      [
        ...['GET /admin/get-user', 'GET /admin/list-user-accounts', 'GET /admin/list-user-organizations', 'GET /admin/get-event'],
        ...['GET /admin/get-organization', 'GET /admin/explain-limits'],
        ...['GET /admin/list-user-factors', 'GET /admin/explain-sign-in', 'GET /admin/explain'],
        ...['GET /admin/list-user-factors', 'GET /admin/explain-sign-in', 'GET /admin/user-lock'],
      ].map((key) => [key, 'It shows one user, organization or event, and the audit log names who read it.']),
    ),
    'POST /passkey/generate-authenticate-options': 'It changes nothing.',
    ...{ 'POST /terms/accept': 'It records what the user decides.', 'POST /terms/decline': 'It records what the user decides.' },
    'POST /passkey/update-passkey': 'It changes what the owner sees, not how they sign in.',
    ...Object.fromEntries(
      ['enable', 'disable', 'get-totp-uri', 'generate-backup-codes'].map((name) => [
        `POST /two-factor/${name}`,
        'It needs the password and a recent second factor, or without a password an age of its own.',
      ]),
    ),
    ...Object.fromEntries(
      ['send-otp', 'verify-otp', 'verify-totp', 'verify-backup-code'].map((name) => [
        `POST /two-factor/${name}`,
        'It is how a session becomes fresh.',
      ]),
    ),
    'POST /two-factor/rehearse-backup-code': 'It replaces a code that the user has, and shows nothing to a thief who has none.',
    'POST /two-factor/revoke-trusted-device': 'It demands more of later sign-ins, not less.',
    'POST /two-factor/revoke-trusted-devices': 'It demands more of later sign-ins, not less.',
    'POST /change-password': 'It needs the current password.',
    'POST /delete-user': 'It needs the password, or rejects an old session by an error of its own (contract 02 §6).',
    'POST /delete-anonymous-user': 'An anonymous user cannot sign in again.',
    'POST /update-user': 'Only a username and the removal of a phone number change how the user signs in.',
    'POST /update-picture': 'It changes what others see, not how the user signs in.',
    'POST /update-session': 'It changes fields of the session.',
    'POST /organization/set-active': 'It changes the session only.',
    'POST /organization/set-active-team': 'It changes the session only.',
    'POST /send-verification-email': 'The link goes to the address that the user has.',
    'POST /phone-number/verify': 'Only with updatePhoneNumber, or for a claimed number, does it change how the user signs in.',
    'POST /get-access-token': 'Applications use provider tokens all the time; it is in the audit log.',
    'POST /refresh-token': 'Applications use provider tokens all the time; it is in the audit log.',
    'POST /multi-session/set-active': 'The browser has the cookies of both sessions; each has its own time of sign-in.',
    'POST /multi-session/revoke': 'It signs out of an account of this browser.',
    'POST /api-key/delete': 'A user who has seen a leaked key must be able to stop it immediately.',
    'POST /admin/stop-impersonating': 'It returns to the session of the administrator, with its own time of sign-in.',
    'POST /admin/send-password-reset': 'The link goes to the address that the user has.',
    'POST /admin/send-verification-email': 'The link goes to the address that the user has.',
    'POST /admin/pause-bulk-action': 'It stops what a fresh session has started.',
    'POST /admin/cancel-bulk-action': 'It stops what a fresh session has started.',
    'POST /list-export/create': 'A list of administrators demands a fresh session; members see theirs in an old one.',
    'POST /list-export/pause': 'It stops what a fresh session has started.',
    'POST /list-export/resume': 'It continues what a fresh session has started.',
    'POST /list-export/delete': 'It stops what a fresh session has started.',
    'POST /admin/retry-mail': 'It sends what was to be sent anyway.',
    'POST /admin/send-test-email': 'It goes to the address that the user has, with example data.',
    'POST /organization/create': 'It gives no power over what others have.',
    'POST /organization/update': 'It changes texts.',
    'POST /organization/send-two-factor-reminders': 'It sends an email, once a day at most to each member.',
    'POST /organization/remove-member': 'Only for a member whose role permits something does it take power.',
    'POST /organization/leave': 'It gives up power.',
    'POST /organization/create-team': 'A team permits nothing.',
    'POST /organization/remove-team': 'A team permits nothing.',
    'POST /organization/update-team': 'A team permits nothing.',
    'POST /organization/add-team-member': 'A team permits nothing.',
    'POST /organization/remove-team-member': 'A team permits nothing.',
    'POST /organization/invite-member': 'Only with a role that permits something does it give power.',
    'POST /organization/accept-invitation': 'Another member has given the power.',
    'POST /organization/reject-invitation': 'It gives up power.',
    'POST /invite-link/accept': 'An administrator has given the power.',
    'POST /admin/revoke-invite-link': 'It takes power that was not used yet.',
    'POST /organization/cancel-invitation': 'It takes power that was not used yet.',
  }
  /** Inputs with which a call of the list above requires a fresh session. */
  const someInputs: readonly (readonly [key: string, input: (owned: Owned) => object])[] = [
    ['POST /update-user', () => ({ body: { username: 'eve' } })],
    ['POST /update-user', () => ({ body: { username: null } })],
    ['POST /update-user', () => ({ body: { phoneNumber: null } })],
    ['POST /update-user', () => ({ body: { phoneNumber: '+491709999999' } })],
    ['POST /phone-number/verify', () => ({ body: { phoneNumber: '+491701234567', code: '1', updatePhoneNumber: true } })],
    ...['owner', 'admin', 'member,admin'].map(
      (role) =>
        [
          'POST /organization/invite-member',
          ({ organizationId }: Owned) => ({ body: { organizationId, email: 'una@example.com', role } }),
        ] as const,
    ),
    [
      'POST /organization/remove-member',
      ({ organizationId, memberId }) => ({ body: { organizationId, memberIdOrEmail: memberId } }),
    ],
  ]
  const strict: ConfigFile = { ...everything, session: { freshFor: 'sensitive' } }
  const lenient: ConfigFile = {
    ...everything,
    admin: { enabled: true, requireFreshSession: false, impersonationRequiresFreshSession: false },
  }
  const isFreshOnly = ({ app }: TestApp, key: string) => {
    const access = routes[key]?.declaration.access ?? { kind: 'server' }
    return 'requiresFresh' in access && freshnessOf(access)(app.config)
  }
  const isOfAdministrators = (key: string) => {
    const access = routes[key]?.declaration.access
    return access?.kind === 'session' && access.permissions !== undefined
  }
  const isList = (key: string, { app }: TestApp) => {
    const query = resolveSchema(routes[key]?.declaration.query, app.config, mergeTables(app.features), app.features)
    return isOfAdministrators(key) && query instanceof z.ZodObject && 'limit' in query.shape
  }

  /** The user is an administrator, has a username and a verified phone number, and has signed in a day ago. */
  async function arrangeOld(config: ConfigFile) {
    const opened = await testApp(config)
    const { visitors, owned } = await arrange(opened)
    const number = { phoneNumber: '+491701111111', phoneNumberVerified: true, verifiedPhoneNumber: '+491701111111' }
    const columns = { role: 'admin', username: 'ann', displayUsername: 'ann', ...number }
    await opened.app.db.updateTable('user').set(columns).where('id', '=', owned.userId).execute()
    opened.clock.advance(86_400)
    // The renewal, which is due, would change the row.
    await visitors.user.call('GET /get-session', {})
    const send = (key: string, input: object) => visitors.user.call(key as 'GET /ok', input)
    return { ...opened, owned, send }
  }

  test('every call that changes something, or reads as an administrator, requires a fresh one or has a reason', async () => {
    const opened = await testApp(strict)
    const asked = Object.keys(routes).filter(
      (key) =>
        usesSession(routes[key]?.declaration.access ?? { kind: 'server' }) &&
        (key.startsWith('POST ') || isOfAdministrators(key)) &&
        !isList(key, opened),
    )
    expect(asked.filter((key) => !isFreshOnly(opened, key)).sort()).toEqual(Object.keys(reasons).sort())
  })

  test('calls that require a fresh one are rejected, and change nothing', async () => {
    const opened = await arrangeOld(strict)
    const calls = [
      ...Object.keys(routes)
        .filter((key) => isFreshOnly(opened, key))
        .map((key) => [key, inputOf(key, opened.owned)] as const),
      ...someInputs.map(([key, input]) => [key, input(opened.owned)] as const),
    ]
    expect(calls.length).toBeGreaterThan(35)
    const stored = await readStored(opened)
    for (const [key, input] of calls) {
      const { status, body } = await opened.send(key, input)
      expect([key, status, body?.code]).toEqual([key, 403, 'SESSION_IS_NOT_FRESH'])
    }
    expect(await readStored(opened)).toEqual(stored)
  })

  test('an administrator reads a page of a list, and exports none', async () => {
    const opened = await arrangeOld(everything)
    const lists = Object.keys(routes).filter((key) => isList(key, opened))
    expect(lists.length).toBeGreaterThan(4)
    for (const key of lists) {
      const { query = {} } = inputOf(key, opened.owned) as { query?: object }
      const page = await opened.send(key, { query: { ...query, limit: 100 } })
      const rest = await opened.send(key, { query: { ...query, limit: 101 } })
      expect([key, page.status, rest.status, rest.body.code]).toEqual([key, 200, 403, 'SESSION_IS_NOT_FRESH'])
    }
  })

  test('the options permit what the reference does', async () => {
    const opened = await arrangeOld(lenient)
    const always = new Set([
      ...['POST /unlink-account', 'GET /export-data', 'POST /change-email', 'POST /remove-password'],
      ...['GET /passkey/generate-register-options', 'POST /passkey/verify-registration', 'POST /passkey/delete-passkey'],
      'POST /passkey/restore-passkey',
      'POST /unlink-account',
      'POST /email-otp/request-email-change',
      'POST /email-otp/change-email',
      'GET /export-data',
      'POST /change-email',
    ])
    const calls = Object.keys(routes).filter((key) => usesSession(routes[key]?.declaration.access ?? { kind: 'server' }))
    expect(calls.filter((key) => isFreshOnly(opened, key) !== always.has(key))).toEqual([])
    for (const [key, input] of someInputs.filter(([key]) => key !== 'POST /phone-number/verify'))
      expect((await opened.send(key, input(opened.owned))).body?.code).not.toBe('SESSION_IS_NOT_FRESH')
  })

  test('a bearer token counts like a cookie', async () => {
    const opened = await arrangeOld(strict)
    const signedIn = await opened.browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password } })
    const { owned, browser } = opened
    const send = (key: string) =>
      browser().call(key as 'GET /ok', inputOf(key, owned), { authorization: `Bearer ${signedIn.body.token}` })
    expect((await send('POST /api-key/create')).status).toBe(200)
    opened.clock.advance(86_400)
    for (const key of ['POST /api-key/create', 'POST /admin/set-role'])
      expect((await send(key)).body.code).toBe('SESSION_IS_NOT_FRESH')
  })

  test('an administrator by an API key that permits it passes', async () => {
    const opened = await arrangeOld(strict)
    const { userId } = opened.owned
    const permissions = { user: ['update', 'list'] }
    const made = await opened.privileged().call('POST /api-key/create', { body: { userId, permissions } })
    const headers = { 'x-api-key': made.body.key }
    const update = { body: { userId, data: { name: 'Anna' } } }
    const updated = await opened.browser().call('POST /admin/update-user', update, headers)
    const listed = await opened.browser().call('GET /admin/list-users', { query: { limit: 500 } }, headers)
    expect([updated.status, listed.status]).toEqual([200, 200])
  })
})

describe('in a session without a recent second factor, of a user who has one', () => {
  /** Carl is an administrator, and has just signed in, with the password in a trusted browser. */
  async function arrangeWeak() {
    const opened = await testApp(everything)
    const { owned } = await arrange(opened)
    const { browser: carl, userId } = await signUp(opened, 'Carl')
    const { code } = await enrol(opened, carl)
    const number = { phoneNumber: '+491701111111', phoneNumberVerified: true, verifiedPhoneNumber: '+491701111111' }
    const columns = { role: 'admin', username: 'carl', displayUsername: 'carl', ...number }
    await opened.app.db.updateTable('user').set(columns).where('id', '=', userId).execute()
    const signIn = async () => {
      const visitor = opened.browser()
      opened.clock.advance(30)
      await signInAs(visitor, 'Carl')
      await verify(visitor, code(), { trustDevice: true })
      expect(hasSession(await signInAs(visitor, 'Carl'))).toBe(true)
      return visitor
    }
    return { ...opened, owned, signIn }
  }
  const demanded = {
    code: 'SESSION_IS_NOT_FRESH',
    message: 'Session is not fresh',
    details: {
      acr: 'urn:latchkey:acr:2',
      maxAge: 900,
      methods: [{ type: 'totp' }, { type: 'backup-code', left: 10 }],
    },
  }
  /** Inputs with which a call demands one that declares `by-input`. */
  const someInputs: readonly (readonly [key: string, input: { readonly body: object }])[] = [
    ['POST /update-user', { body: { username: null } }],
    ['POST /update-user', { body: { phoneNumber: null } }],
    ['POST /phone-number/verify', { body: { phoneNumber: '+491701234567', code: '1', updatePhoneNumber: true } }],
  ]
  /** Many rejections are written to the audit log while the calls go on. */
  const readUnaudited = async (opened: TestApp) => ({ ...(await readStored(opened)), auditEvent: [], auditState: [] })
  const byInput = Object.keys(routes).filter((key) => routes[key]?.declaration.stepUp === 'by-input')
  const demands = (key: string) => routes[key]?.declaration.stepUp !== undefined && !byInput.includes(key)

  test('calls that demand one are rejected with the one error, and change nothing', async () => {
    const opened = await arrangeWeak()
    const carl = await opened.signIn()
    const stored = await readUnaudited(opened)
    const calls = Object.keys(routes).flatMap((key) => (demands(key) ? [[key, inputOf(key, opened.owned)] as const] : []))
    expect(calls.length).toBeGreaterThan(35)
    expect([...new Set(someInputs.map(([key]) => key))].sort()).toEqual(byInput.sort())
    for (const [key, input] of [...calls, ...someInputs]) {
      const { status, body } = await carl.call(key as 'GET /ok', input)
      expect([key, status, body]).toEqual([key, 403, demanded])
    }
    expect(await readUnaudited(opened)).toEqual(stored)
  })

  test('no other call is rejected with it', async () => {
    const opened = await arrangeWeak()
    let carl = await opened.signIn()
    const others = Object.keys(routes).filter((key) => !demands(key))
    for (const key of others) {
      if ((await carl.call('GET /get-session', {})).body === null) carl = await opened.signIn()
      const { body } = await carl.call(key as 'GET /ok', (entries[key]?.input?.(opened.owned, weak) ?? {}) as object)
      expect([key, body?.details?.acr]).toEqual([key, undefined])
    }
  })
})

describe('with an API key without permissions', () => {
  /** What a leaked key may do; a new call must decide. All others that use a session reject keys, or require a permission. */
  const allowed = [
    'GET /account-info',
    'GET /admin/pending-counts',
    'GET /api-key/get',
    'GET /api-key/list',
    'GET /avatar/:id',
    'GET /list-accounts',
    'GET /list-permissions',
    'GET /list-sessions',
    'GET /passkey/generate-authenticate-options',
    'GET /passkey/list-user-passkeys',
    'GET /passkey/signal',
    'POST /account-info',
    'POST /admin/has-permission',
    'POST /passkey/generate-authenticate-options',
    'POST /send-verification-email',
    'POST /update-picture',
    'POST /update-user',
  ]
  const usesKey = ({ declaration }: (typeof routes)[string]) => {
    const { access } = declaration
    return access.kind === 'session' || access.kind === 'optional-session'
  }
  const outcomes = async (keys: readonly string[]) => {
    const opened = await testApp(everything)
    const { owned } = await arrange(opened)
    await opened.app.db.updateTable('user').set({ role: 'admin' }).execute()
    const input = { body: { userId: owned.userId, rateLimitEnabled: false } }
    const headers = { 'x-api-key': (await opened.privileged().call('POST /api-key/create', input)).body.key }
    const found: (readonly [string, number, string | undefined])[] = []
    for (const key of keys) {
      const sent = (entries[key]?.input?.(owned, 'user') ?? {}) as object
      const { status, body, setCookie } = await opened.browser().call(key as 'GET /ok', sent, headers)
      expect([key, setCookie]).toEqual([key, []])
      found.push([key, status, body?.code])
    }
    return found
  }

  test('every call is either allowed or rejected', async () => {
    const { config } = (await testApp(everything)).app
    const open = Object.entries(routes).filter(([, route]) => usesKey(route) && !needsSession(config, route.declaration))
    const free = open.filter(([, { declaration }]) => !('permissions' in declaration.access && declaration.access.permissions))
    // In organizations the role of the owner decides.
    const outside = free.map(([key]) => key).filter((key) => !key.includes(' /organization/'))
    expect(outside.sort()).toEqual(allowed)
  })

  test('calls of the account and of its session are rejected', async () => {
    const { config } = (await testApp(everything)).app
    const keys = Object.keys(routes).filter((key) => routes[key] && needsSession(config, routes[key].declaration))
    expect(keys.length).toBeGreaterThan(15)
    expect(await outcomes(keys)).toEqual(keys.map((key) => [key, 403, 'NOT_ALLOWED_WITH_AN_API_KEY']))
  })

  test('calls that require a permission are rejected, of an administrator too', async () => {
    const requires = (access: Access) => access.kind === 'session' && access.permissions !== undefined
    const keys = Object.keys(routes).filter((key) => routes[key] && requires(routes[key].declaration.access))
    expect(keys.length).toBeGreaterThan(30)
    expect((await outcomes(keys)).filter(([, status]) => status !== 403)).toEqual([])
  })
})
