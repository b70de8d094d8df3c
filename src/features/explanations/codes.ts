/**
 * Codes of the API that belong to no sign-in method: limits, origins, access, administration. An entry is one line: what the code means for
 * an operator, what to do, and the paths of the options that decide. A test demands an entry for each code.
 */
import type { Entries } from './entry.ts'

const role = 'The role of the user does not permit this call.'
const giveRole = 'Give them a role that permits it, or add the permission to their role.'
const missing = 'It was deleted in the meantime, or the ID is wrong. Reload the list, and try again.'
const bug = 'Look for the request ID in the log: `latchkey logs`. It has the cause.'
const ownAccount = 'This is a safeguard. Another administrator has to do it.'

// biome-ignore format: one line for each code
export const codes: Entries = {
  // Limits, origins and the request itself.
  TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER: ['A rate limit, a lockout after wrong passwords or codes, or a limit of mails and text messages was reached.', 'See which one with `latchkey limits explain`. Wait, or reset it with `latchkey limits clear`. If the client is a server of yours, see "Rate limits of your own servers" in docs/operations.md.',  'rateLimit.enabled', 'rateLimit.window', 'rateLimit.max', 'rateLimit.customRules', 'attempts.perNetwork', 'attempts.perAccount', 'server.trustedProxies'],
  INVALID_ORIGIN: ['The request came from a page of an origin that is not trusted (CSRF check).', 'If the page is yours, add its origin to `trustedOrigins`. The log names the origin. If every page fails, check `baseURL`, and that the proxy passes `Host` and `Origin` on.', 'trustedOrigins', 'baseURL', 'advanced.disableCSRFCheck'],
  MISSING_OR_NULL_ORIGIN: ['A browser sent a request with cookies, but without an origin, and the configuration requires one.', 'Check that no proxy or privacy extension removes the header `Origin`, or set `advanced.requireOrigin: false`.', 'advanced.requireOrigin', 'trustedOrigins'],
  INVALID_HOST: ['In development, only names of this machine are accepted (protection against DNS rebinding).', "Open the pages by localhost, set `baseURL` to the name that you use, or set `environment: 'production'`.", 'environment', 'baseURL'],
  INVALID_CALLBACKURL: ['`callbackURL` leads to an origin that is not trusted.', 'Add its origin to `trustedOrigins`, or send a path such as /app.', 'trustedOrigins', 'baseURL'],
  INVALID_REDIRECTURL: ['`redirectTo` leads to an origin that is not trusted.', 'Add its origin to `trustedOrigins`, or send a path such as /app.', 'trustedOrigins', 'baseURL'],
  INVALID_ERRORCALLBACKURL: ['`errorCallbackURL` leads to an origin that is not trusted.', 'Add its origin to `trustedOrigins`, or send a path such as /app.', 'trustedOrigins', 'baseURL'],
  INVALID_NEWUSERCALLBACKURL: ['`newUserCallbackURL` leads to an origin that is not trusted.', 'Add its origin to `trustedOrigins`, or send a path such as /app.', 'trustedOrigins', 'baseURL'],
  PAYLOAD_TOO_LARGE: ['The body of the request is larger than the limit, or a form is larger than 64 KiB.', 'Send less, or raise `server.bodyLimit`. A proxy in front may have a limit of its own.', 'server.bodyLimit'],
  VALIDATION_ERROR: ['The client sent a field that is missing, of the wrong type or too long.', 'Compare the request with the API reference at /api/auth/reference; the member `details` of the response names the fields.'],
  MISSING_CAPTCHA_RESPONSE: ['The path is protected by a captcha, and the request has no solution of one (header `x-captcha-response`).', 'Show the captcha in your form and send its response, or leave the path out of `captcha.endpoints`. If a blocker removed the captcha, the user has to allow it.', 'captcha.endpoints', 'captcha.provider', 'captcha.siteKey'],
  CAPTCHA_VERIFICATION_FAILED: ['The captcha provider did not accept the solution: it expired, was used before, its score is too low, or the keys do not belong together.', 'Let the user try again. If all fail, check that `captcha.siteKey` and `captcha.secretKey` belong together and list your domain; for reCAPTCHA v3 lower `captcha.minScore`.', 'captcha.secretKey', 'captcha.siteKey', 'captcha.minScore', 'captcha.recaptchaVersion'],
  SOMETHING_WENT_WRONG: ['The captcha provider did not respond.', 'Check that this server can reach the provider; the log has the cause.', 'captcha.siteVerifyURLOverride', 'captcha.provider'],
  NOT_FOUND: ['There is no such call or thing, or the user may not see it.', 'Check the path, and whether the feature is enabled and the path is not in `disabledPaths`.', 'disabledPaths', 'basePath'],
  INTERNAL_SERVER_ERROR: ['An unexpected error, or an error of a function of the configuration.', bug, 'onAPIError.onError'],
  SERVICE_UNAVAILABLE: ['The database did not respond in time, or too many passwords were hashed at the same time.', 'Run `latchkey doctor`. After an outage, the call works again by itself.', 'database.queryTimeout', 'database.poolSize', 'passwordHash.concurrency', 'passwordHash.queue'],
  SEARCH_TOO_SLOW: ['A search of administrators took longer than its limit.', 'Add a filter, or raise `admin.listTimeout`.', 'admin.listTimeout', 'database.queryTimeout'],

  // Sessions and access.
  UNAUTHORIZED: ['The request had no session, or one that was revoked or has expired.', 'The user signs in again. If everyone is signed out all the time, check the cookies: HTTPS, domain, and the clock of the server.', 'session.expiresIn', 'session.absoluteMaxAge', 'session.maxPerUser', 'advanced.crossSubDomainCookies', 'advanced.useSecureCookies'],
  FORBIDDEN: ['The user is not allowed to make this call.', giveRole, 'admin.roles', 'admin.adminRoles', 'organization.roles'],
  SESSION_IS_NOT_FRESH: ['The call needs a recent sign-in, or a recent proof of a second factor.', 'The user signs in again, or confirms with their second factor.', 'session.freshAge', 'session.freshFor', 'twoFactor.stepUp.maxAge', 'admin.requireFreshSession'],
  NOT_ALLOWED_WHILE_IMPERSONATING_A_USER: ['An administrator acted as the user, and this call is only for the user.', 'End the impersonation first.'],
  NOT_ALLOWED_WITH_AN_API_KEY: ['The call needs a session; an API key is not enough.', 'Make it with a session of the user.', 'apiKey.disableSessionForAPIKeys'],
  FAILED_TO_GET_SESSION: ['The session could not be read.', bug],
  SESSION_NOT_FOUND: ['The session was revoked or has expired.', 'Nothing to do: it has ended.', 'session.expiresIn'],
  FAILED_TO_CREATE_SESSION: ['The session could not be stored, or a hook rejected it.', bug, 'databaseHooks.session.create.before'],
  FAILED_TO_UPDATE_SESSION: ['The session has ended, or a hook rejected the change.', 'The user signs in again.', 'databaseHooks.session.update.before'],
  INVALID_SESSION_TOKEN: ['The session that the browser should switch to has ended.', 'The user signs in to that account again.', 'multiSession.maximumSessions'],
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: ['The call needs a recent sign-in.', 'The user signs in again.', 'session.freshAge'],
  FAILED_TO_GET_USER_INFO: ['The deletion link was opened without a session of its user.', 'The user signs in, then opens the link again.'],

  // Administration.
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: [role, 'The role needs `user:ban`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: [role, 'The role needs `user:set-role`, and everything that the given role permits.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: [role, 'The role needs `user:create`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: [role, 'The role needs `user:delete`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: [role, 'The role needs `user:impersonate`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: [role, 'The role needs `user:list`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS: [role, 'The role needs `session:list`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: [role, 'The role needs `session:revoke`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD: [role, 'The role needs `user:set-password`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS: [role, 'The role needs `user:update`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_ERASE_USERS: [role, 'The role needs `user:erase`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_EXPORT_USERS: [role, 'The role needs `user:export`.', 'admin.roles', 'admin.adminRoles'],
  YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS: [role, 'The role needs `user:reset-two-factor`.', 'admin.roles', 'admin.adminRoles'],
  YOU_CANNOT_IMPERSONATE_ADMINS: ['Administrators cannot be impersonated.', 'Set `admin.allowImpersonatingAdmins: true` if you need it.', 'admin.allowImpersonatingAdmins'],
  YOU_CANNOT_BAN_YOURSELF: ['An administrator tried to ban themselves.', ownAccount],
  YOU_CANNOT_DEMOTE_YOURSELF: ['An administrator tried to give up their own permission to set roles.', ownAccount],
  YOU_CANNOT_IMPERSONATE_YOURSELF: ['An administrator tried to impersonate themselves.', ownAccount],
  YOU_CANNOT_REMOVE_YOURSELF: ['An administrator tried to delete themselves here.', 'They delete their account on the account page.'],
  YOU_ARE_NOT_IMPERSONATING_ANYONE: ['The impersonation has ended already.', 'Reload the page.', 'admin.impersonationSessionDuration'],
  SETTING_PASSWORDS_IS_DISABLED: ['Administrators do not set passwords here.', 'Send a reset link, or set `admin.allowSettingPasswords: true`.', 'admin.allowSettingPasswords'],
  REASON_IS_REQUIRED: ['An impersonation needs a reason.', 'Give one, or set `admin.requireImpersonationReason: false`.', 'admin.requireImpersonationReason'],
  NO_DATA_TO_UPDATE: ['The request changes nothing.', 'Send at least one field.'],
  FAILED_TO_FIND_ADMIN_SESSION: ["The administrator's own session has ended during an impersonation.", 'They sign in again.', 'session.expiresIn'],
  FAILED_TO_FIND_USER: ['The user of the session was deleted.', 'They sign in again.'],
  USER_NOT_FOUND: ['There is no user with this ID or email address.', 'Search with `latchkey users list --search <text>`. The user may have been deleted.'],
  NO_USER_MATCHES: ['A bulk action matched no user.', 'Change the filter.'],
  TOO_MANY_USERS_MATCH: ['A bulk action matched more users than its limit.', 'Narrow the filter, or raise `admin.bulkActionLimit`.', 'admin.bulkActionLimit'],
  BULK_ACTION_NOT_FOUND: ['The bulk action does not exist any more.', missing],
  BULK_ACTION_HAS_ENDED: ['The bulk action has ended already.', 'Start a new one.'],
  EXPORT_NOT_FOUND: ['The export does not exist any more.', 'Start a new one.'],
  EXPORT_IS_NOT_COMPLETE: ['The file is still being written.', 'Wait until it is complete.'],
  TOO_MANY_EXPORTS: ['There are too many exports.', 'Delete one, or wait for a day.'],
  EVENT_NOT_FOUND: ['The event does not exist, or was deleted after the retention time.', missing, 'audit.retention'],
  FAILED_EMAIL_NOT_FOUND: ['The email is no longer in the list of failed emails.', 'Reload the list: it may have been retried.'],
  IP_ADDRESS_OR_ACCOUNT_REQUIRED: ['The call needs an IP address or an account.', 'Send `address` or `account`.'],
  ONLY_KNOWN_TO_A_DAEMON: ['Only a running daemon knows this.', 'Run `latchkey start`.'],
  PREVIEW_NOT_FOUND: ['The configuration does not enable this page or email.', missing],
  EMAIL_IS_NOT_CONFIGURED: ['No mail server is configured.', 'Set `mail.smtp` or `mail.send`.', 'mail.smtp', 'mail.send'],
  SIGNING_KEY_ALREADY_RETIRED: ['The signing key is retired already.', 'Nothing to do. To remove it from the published keys, add `--remove-now`.', 'jwt.jwks.gracePeriod'],
  SIGNING_KEY_NOT_FOUND: ['There is no signing key with this ID.', 'List them with `latchkey keys list`.', 'jwt.jwks.rotationInterval'],

  // Users, accounts, pictures.
  FAILED_TO_CREATE_USER: ['The user could not be stored, or a hook rejected it.', bug, 'databaseHooks.user.create.before'],
  FAILED_TO_UPDATE_USER: ['The change could not be stored, or a hook rejected it.', bug, 'databaseHooks.user.update.before'],
  FAILED_TO_CREATE_ACCOUNT: ['The account could not be stored, or a hook rejected it.', bug, 'databaseHooks.account.create.before'],
  FAILED_TO_UPDATE_ACCOUNT: ['The account could not be changed, or a hook rejected it.', bug, 'databaseHooks.account.update.before'],
  FAILED_TO_CREATE_VERIFICATION: ['The link or code could not be stored, or a hook rejected it.', bug, 'databaseHooks.verification.create.before'],
  USER_ALREADY_EXISTS: ['There is a user with this email address already.', 'The user signs in, or resets their password. `emailAndPassword.antiEnumeration` answers strangers alike.', 'emailAndPassword.antiEnumeration'],
  INVALID_EMAIL: ['The email address is not valid.', 'Correct the address.'],
  ACCOUNT_NOT_FOUND: ['The user has no such account.', 'Reload the list of linked accounts.'],
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: ['The user would have no sign-in method left.', 'They add another one first.', 'account.accountLinking.allowUnlinkingAll'],
  EMAIL_CAN_NOT_BE_UPDATED: ['`/update-user` does not change the email address.', 'Call `/change-email`.', 'user.changeEmail.enabled'],
  CHANGE_EMAIL_IS_DISABLED: ['Users may not change their email address.', 'Set `user: { changeEmail: { enabled: true } }`.', 'user.changeEmail.enabled'],
  EMAIL_IS_THE_SAME: ['The user has this email address already.', 'Nothing to do.'],
  COULDNT_UPDATE_YOUR_EMAIL: ['Another user has this email address.', 'Choose another address.'],
  INVALID_PICTURE: ['The file is not a JPEG, PNG or WebP picture, or has more than 4 million pixels.', 'Choose another file.'],
}
