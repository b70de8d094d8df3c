/**
 * The configuration as `auth.config.ts` exports it. Generated from the schema that checks the file (`npm run docs`), because editors
 * show the comments of a declaration, and not the descriptions of a schema.
 */
import type { z } from 'zod'
import type { DeclaredConfig } from './features/index.ts'

export interface ConfigFile {
  /**
   * Name of the application, shown on pages and in emails
   * @default 'Latchkey'
   */
  appName?: string | undefined
  /**
   * `development` relaxes limits and start-up checks; NODE_ENV sets it if the file does not; `latchkey dev` always uses `development`
   * @default 'production'
   */
  environment?: 'production' | 'development' | undefined
  /** Public URL of the daemon, such as https://accounts.example.com; a path in it replaces basePath */
  baseURL?: string | undefined
  /**
   * Path where the API is mounted
   * @default '/api/auth'
   */
  basePath?: string | undefined
  /** Signing and encryption secret, at least 32 characters; a list, newest first, rotates it without signing users out */
  secret?: string | Array<string> | undefined
  /** Origins that may call the API from a browser and be redirected to; `*` is a wildcard */
  trustedOrigins?: Array<string> | Extract<z.input<DeclaredConfig['trustedOrigins']>, (...given: never) => unknown> | undefined
  /** Paths below basePath whose calls return 404; a declared path such as /reset-password/:token covers all its values */
  disabledPaths?: Array<string> | undefined
  /** HTTP server and worker processes. */
  server?: ServerOptions | undefined
  /** Database connection. */
  database?: DatabaseOptions | undefined
  /** Redis, for rate limits and short-lived caches; without it they are in memory. Off unless present. */
  redis?: boolean | RedisOptions | undefined
  /** Logging. */
  log?: LogOptions | undefined
  /** Advanced options. */
  advanced?: AdvancedOptions | undefined
  /** Functions called before and after every call; if one throws, the call fails. */
  hooks?: HooksOptions | undefined
  /** Error page and error reporting. */
  onAPIError?: OnAPIErrorOptions | undefined
  /** Hosted pages: sign-in, account and development. */
  dashboard?: DashboardOptions | undefined
  /** Rate limits by IP address and path. */
  rateLimit?: RateLimitOptions | undefined
  /** The audit log: authentications, denied accesses and changes. */
  audit?: AuditOptions | undefined
  /** Mail. Off unless present. */
  mail?: boolean | MailOptions | undefined
  /** Limit of emails of one kind to one recipient, in addition to rate limits. */
  mailLimit?: MailLimitOptions | undefined
  /** Text messages (SMS). */
  sms?: SmsOptions | undefined
  /** Limits of text messages, in addition to rate limits. */
  smsLimit?: SmsLimitOptions | undefined
  /** Functions called before and after rows are created or updated. */
  databaseHooks?: DatabaseHooksOptions | undefined
  /** Users. */
  user?: UserOptions | undefined
  /** Who may sign up, by every method (docs/sign-up.md). */
  signUp?: SignUpOptions | undefined
  /** The sign-in page. */
  signIn?: SignInOptions | undefined
  /** Sessions. */
  session?: SessionOptions | undefined
  /** Single-use tokens, such as those of password reset links. */
  verification?: VerificationOptions | undefined
  /** Accounts: the sign-in methods of a user. */
  account?: AccountOptions | undefined
  /** Roles, administrators and organizations that `latchkey seed` creates. */
  seed?: SeedOptions | undefined
  /** Backoff against password guessing, in addition to rate limits. */
  attempts?: AttemptsOptions | undefined
  /** Notices to verified email addresses about what happens to an account. */
  notices?: NoticesOptions | undefined
  /** Cost of a password hash (argon2id, RFC 9106). */
  passwordHash?: PasswordHashOptions | undefined
  /** Look up new passwords in the breached passwords of Have I Been Pwned. Off unless present. */
  haveIBeenPwned?: boolean | HaveIBeenPwnedOptions | undefined
  /** Rules for new passwords, in addition to their length. Off unless present. */
  passwordRules?: boolean | PasswordRulesOptions | undefined
  /** Verification of email addresses. */
  emailVerification?: EmailVerificationOptions | undefined
  /** Sign-up and sign-in with email address and password. Off unless `enabled: true`. */
  emailAndPassword?: EmailAndPasswordOptions | undefined
  /** Organizations, members, invitations and teams. Off unless present. */
  organization?: boolean | OrganizationOptions | undefined
  /** Social sign-in: providers with their options. */
  socialProviders?: SocialProvidersOptions | undefined
  /** Social sign-in with any other OAuth 2 or OpenID provider. Off unless present. */
  genericOAuth?: boolean | GenericOAuthOptions | undefined
  /** Pictures that users upload. */
  avatars?: AvatarsOptions | undefined
  /** Usernames, with which users can sign in instead of their email address. Off unless present. */
  username?: boolean | UsernameOptions | undefined
  /** Phone numbers, verified by codes in text messages. Off unless present. */
  phoneNumber?: boolean | PhoneNumberOptions | undefined
  /** Codes by email. Off unless present. */
  emailOTP?: boolean | EmailOTPOptions | undefined
  /** Links by email that sign in. Off unless present. */
  magicLink?: boolean | MagicLinkOptions | undefined
  /** The last sign-in method of a browser, in a cookie that scripts can read. Off unless present. */
  lastLoginMethod?: boolean | LastLoginMethodOptions | undefined
  /** Administration of users: roles, bans and impersonation. Off unless present. */
  admin?: boolean | AdminOptions | undefined
  /** JSON Web Tokens of users, signed by keys that other services fetch. Off unless present. */
  jwt?: boolean | JwtOptions | undefined
  /** Session tokens in the header `Authorization: Bearer`, for clients without cookies. Off unless present. */
  bearer?: boolean | BearerOptions | undefined
  /** A second factor at sign-in: codes of authenticator apps, codes by text message or email, backup codes. Off unless present. */
  twoFactor?: boolean | TwoFactorOptions | undefined
  /** Passkeys (WebAuthn): users sign in with their device or a security key. Off unless present. */
  passkey?: boolean | PasskeyOptions | undefined
  /** Users without an account, until they sign in. Off unless present. */
  anonymous?: boolean | AnonymousOptions | undefined
  /** Several accounts in one browser, between which users switch. Off unless present. */
  multiSession?: boolean | MultiSessionOptions | undefined
  /** Tokens that transfer a session to another browser or app, once. Off unless present. */
  oneTimeToken?: boolean | OneTimeTokenOptions | undefined
  /** API keys. Off unless present. */
  apiKey?: boolean | ApiKeyOptions | undefined
  /** Returns the body of `/get-session` for a session and its user; without a session, the body is `null` */
  customSession?: z.input<DeclaredConfig['customSession']> | undefined
  /** Moving from another system. */
  move?: MoveOptions | undefined
  /** Terms of service and other documents with versions, which users accept at sign-up and sign-in. Off unless present. */
  terms?: boolean | TermsOptions | undefined
  /** Captcha for sign-up, sign-in and password reset requests. Off unless present. */
  captcha?: boolean | CaptchaOptions | undefined
  /** `/.well-known/security.txt`: how to report a vulnerability (RFC 9116). Off unless present. */
  securityTxt?: boolean | SecurityTxtOptions | undefined
  /** OpenAPI document and API reference page, public for everyone who can reach the API. Off unless present. */
  openAPI?: boolean | OpenAPIOptions | undefined
}

interface ServerOptions {
  /**
   * IP address to listen on
   * @default '127.0.0.1'
   */
  host?: string | undefined
  /**
   * Port to listen on; 0 chooses a free port. Integer 0 to 65535
   * @default 4000
   */
  port?: number | undefined
  /**
   * Worker processes that serve requests. Integer 1 to 256
   * @default 1
   */
  workers?: number | undefined
  /** IP addresses and networks of proxies whose forwarding headers are trusted */
  trustedProxies?: Array<string | string | string | string> | undefined
  /**
   * Largest accepted request body, in bytes; forms are limited to 65,536 bytes and 100 fields. Integer from 1
   * @default 131072
   */
  bodyLimit?: number | undefined
  /**
   * Time for running requests to finish when a worker stops, in seconds. Integer from 1
   * @default 10
   */
  drainTimeout?: number | undefined
  /**
   * Allow a public baseURL with http:
   * @default false
   */
  allowPlainHTTP?: boolean | undefined
  /** Private listeners: for monitoring, and for calls of your own servers. */
  private?: ServerPrivateOptions | undefined
}

interface ServerPrivateOptions {
  /** Port of metrics, and of readiness with reasons; default: only a socket in .latchkey. Integer 1 to 65535 */
  port?: number | undefined
  /**
   * IP address on which that port is opened
   * @default '127.0.0.1'
   */
  host?: string | undefined
  /** Bearer token that requests to that port need; required unless its host is loopback */
  token?: string | undefined
  /** Calls of your own servers. */
  api?: ServerPrivateApiOptions | undefined
}

interface ServerPrivateApiOptions {
  /** Port of calls of your own servers, for any user; default: only a socket in .latchkey. Integer 1 to 65535 */
  port?: number | undefined
  /**
   * IP address on which that port is opened
   * @default '127.0.0.1'
   */
  host?: string | undefined
  /** Bearer token that requests to that port need; required with a port */
  token?: string | undefined
}

interface DatabaseOptions {
  /** mysql://user:password@host:3306/name or sqlite:./file.db; DATABASE_URL sets it if the file does not */
  url?: string | undefined
  /** `verify`: TLS with a verified certificate, the default for every host except loopback; `off`: no TLS */
  tls?: 'verify' | 'off' | undefined
  /** Path of a PEM file with the certificate authority to trust */
  ca?: string | undefined
  /**
   * Connections per worker; migrations need two. Integer 2 to 1000
   * @default 10
   */
  poolSize?: number | undefined
  /**
   * Timeout for opening a connection, in milliseconds. Integer from 1
   * @default 5000
   */
  connectTimeout?: number | undefined
  /**
   * Timeout of a statement; all statements, repetitions and waits for locks and connections of one call have this time together, in milliseconds. Integer from 1
   * @default 10000
   */
  queryTimeout?: number | undefined
  /**
   * Use prepared statements for frequent queries; turn off for a database proxy that does not support them
   * @default true
   */
  preparedStatements?: boolean | undefined
  /**
   * In a Galera or Group Replication cluster, wait until a node has the latest writes of all nodes before each read
   * @default false
   */
  causalReads?: boolean | undefined
}

interface RedisOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** redis://host:6379 or rediss://host:6379; REDIS_URL sets it if the file does not */
  url?: string | undefined
  /** URLs of the nodes of a cluster, instead of url */
  cluster?: Array<string> | undefined
  /** URLs of the sentinels, and the name of the master, instead of url */
  sentinel?: {
    /** URLs of the sentinels */
    nodes: Array<string>
    /** Name of the master */
    name: string
  } | undefined
  /** `verify`: TLS with a verified certificate, the default for rediss://; `off`: no TLS, needed for redis:// to another machine */
  tls?: 'verify' | 'off' | undefined
  /** Path of a PEM file with the certificate authority to trust */
  ca?: string | undefined
  /**
   * Prefix of every key
   * @default 'latchkey:'
   */
  keyPrefix?: string | undefined
  /**
   * Timeout of a command, in milliseconds. Integer from 1
   * @default 500
   */
  commandTimeout?: number | undefined
}

interface LogOptions {
  /**
   * Lowest level that is logged
   * @default 'info'
   */
  level?: 'debug' | 'info' | 'warn' | 'error' | undefined
  /**
   * Log file of `start --detach`, relative to the project folder
   * @default '.latchkey/daemon.log'
   */
  file?: string | undefined
}

interface AdvancedOptions {
  /** IP address of the client. */
  ipAddress?: AdvancedIpAddressOptions | undefined
  /** IDs of rows. */
  database?: AdvancedDatabaseOptions | undefined
  /** Mark cookies as secure; default: if baseURL starts with https: */
  useSecureCookies?: boolean | undefined
  /**
   * Disable the check of the Origin header
   * @default false
   */
  disableCSRFCheck?: boolean | undefined
  /**
   * Reject requests with cookies but neither Origin nor Referer, as better-auth 1.7 does
   * @default false
   */
  requireOrigin?: boolean | undefined
  /** Share cookies across subdomains. Off unless present. */
  crossSubDomainCookies?: boolean | AdvancedCrossSubDomainCookiesOptions | undefined
  /** `Domain` and `Path` that cookies had before `crossSubDomainCookies` or their attributes changed: cookies of these are deleted together with the present ones */
  formerCookies?: Array<{
    /** `Domain` that cookies had; default: none */
    domain?: string | undefined
    /** `Path` that cookies had; default: / */
    path?: string | undefined
  }> | undefined
  /** Attributes of every cookie */
  defaultCookieAttributes?: {
    /** `Max-Age`, in seconds; at most 400 days. Integer from 0 */
    maxAge?: number | undefined
    /** `Domain`; default: none, so that only the host of baseURL gets the cookie */
    domain?: string | undefined
    /** `Path`; default: / */
    path?: string | undefined
    /** `HttpOnly`: scripts of pages cannot read the cookie; default: true */
    httpOnly?: boolean | undefined
    /** `Secure`; default: `advanced.useSecureCookies` */
    secure?: boolean | undefined
    /** `SameSite`; `none` requires secure cookies; default: Lax */
    sameSite?: 'lax' | 'strict' | 'none' | 'Lax' | 'Strict' | 'None' | undefined
    /** `Partitioned`: one cookie for each site that embeds the application (CHIPS) */
    partitioned?: boolean | undefined
  } | undefined
  /**
   * Prefix of every cookie name; `better-auth` for applications that expect it; `__Host-latchkey` is the safest if no Domain is set
   * @default 'latchkey'
   */
  cookiePrefix?: string | undefined
  /** Names and attributes of single cookies. */
  cookies?: AdvancedCookiesOptions | undefined
}

interface AdvancedIpAddressOptions {
  /**
   * Headers with the IP address of the client, in order of preference; read only from trusted proxies
   * @default ["x-forwarded-for"]
   */
  ipAddressHeaders?: Array<string> | undefined
  /**
   * Store no IP addresses; rate limits then count by connection
   * @default false
   */
  disableIpTracking?: boolean | undefined
}

interface AdvancedDatabaseOptions {
  /** Generates the IDs of users, sessions, accounts and verifications: `({ model, size }) => string`, unique, at most 36 printable ASCII characters. Default: 32 random letters and digits */
  generateId?: z.input<DeclaredConfig['advanced']['shape']['database']['shape']['generateId']> | undefined
}

interface AdvancedCrossSubDomainCookiesOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Parent domain of all subdomains; default: the host of baseURL */
  domain?: string | undefined
}

interface AdvancedCookiesOptions {
  /** Cookie `session_token`. */
  session_token?: AdvancedCookiesSessionTokenOptions | undefined
  /** Cookie `session_data`. */
  session_data?: AdvancedCookiesSessionDataOptions | undefined
  /** Cookie `dont_remember`. */
  dont_remember?: AdvancedCookiesDontRememberOptions | undefined
  /** Cookie `known_device`. */
  known_device?: AdvancedCookiesKnownDeviceOptions | undefined
  /** Cookie `sign_up`. */
  sign_up?: AdvancedCookiesSignUpOptions | undefined
  /** Cookie `state`. */
  state?: AdvancedCookiesStateOptions | undefined
  /** Cookie `email_otp`. */
  email_otp?: AdvancedCookiesEmailOtpOptions | undefined
  /** Cookie `magic_link`. */
  magic_link?: AdvancedCookiesMagicLinkOptions | undefined
  /** Cookie `admin_session`. */
  admin_session?: AdvancedCookiesAdminSessionOptions | undefined
  /** Cookie `invite_link`. */
  invite_link?: AdvancedCookiesInviteLinkOptions | undefined
  /** Cookie `two_factor`. */
  two_factor?: AdvancedCookiesTwoFactorOptions | undefined
  /** Cookie `trust_device`. */
  trust_device?: AdvancedCookiesTrustDeviceOptions | undefined
  /** Cookie `two_factor_method`. */
  two_factor_method?: AdvancedCookiesTwoFactorMethodOptions | undefined
  /** Cookie `better-auth-passkey`. */
  'better-auth-passkey'?: AdvancedCookiesBetterAuthPasskeyOptions | undefined
  /** Cookie `passkey_sign_up`. */
  passkey_sign_up?: AdvancedCookiesPasskeySignUpOptions | undefined
  /** Cookie `terms`. */
  terms?: AdvancedCookiesTermsOptions | undefined
}

interface AdvancedCookiesSharedOptions {
  /** Name of the cookie; default: `cookiePrefix`, a dot and the key */
  name?: string | undefined
  /** Attributes of this cookie; they override `defaultCookieAttributes` */
  attributes?: {
    /** `Max-Age`, in seconds; at most 400 days. Integer from 0 */
    maxAge?: number | undefined
    /** `Domain`; default: none, so that only the host of baseURL gets the cookie */
    domain?: string | undefined
    /** `Path`; default: / */
    path?: string | undefined
    /** `HttpOnly`: scripts of pages cannot read the cookie; default: true */
    httpOnly?: boolean | undefined
    /** `Secure`; default: `advanced.useSecureCookies` */
    secure?: boolean | undefined
    /** `SameSite`; `none` requires secure cookies; default: Lax */
    sameSite?: 'lax' | 'strict' | 'none' | 'Lax' | 'Strict' | 'None' | undefined
    /** `Partitioned`: one cookie for each site that embeds the application (CHIPS) */
    partitioned?: boolean | undefined
  } | undefined
}

interface AdvancedCookiesSessionTokenOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesSessionDataOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesDontRememberOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesKnownDeviceOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesSignUpOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesStateOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesEmailOtpOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesMagicLinkOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesAdminSessionOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesInviteLinkOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesTwoFactorOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesTrustDeviceOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesTwoFactorMethodOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesBetterAuthPasskeyOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesPasskeySignUpOptions extends AdvancedCookiesSharedOptions {
}

interface AdvancedCookiesTermsOptions extends AdvancedCookiesSharedOptions {
}

interface HooksOptions {
  /** Called before validation; may change the input, or return a response in place of the call */
  before?: z.input<DeclaredConfig['hooks']['shape']['before']> | undefined
  /** Called with the outcome; may replace it and add headers */
  after?: z.input<DeclaredConfig['hooks']['shape']['after']> | undefined
}

interface OnAPIErrorOptions {
  /** URL or path to which a failed browser flow redirects, with the parameter `error`; default: the built-in error page, /error */
  errorURL?: string | undefined
  /** Called after each error response with the error and the call; the return value is ignored */
  onError?: z.input<DeclaredConfig['onAPIError']['shape']['onError']> | undefined
}

interface DashboardOptions {
  /**
   * Serve the hosted pages; links in emails then end on them
   * @default true
   */
  enabled?: boolean | undefined
  /**
   * Path where the hosted pages are mounted
   * @default '/'
   */
  path?: string | undefined
  /** Brand of the hosted pages; their name is `appName`. */
  branding?: DashboardBrandingOptions | undefined
  /** Name of this environment, such as `staging`: a bar at the top of account and administration pages shows it; not for `production` */
  environment?: string | undefined
  /**
   * Languages of the hosted pages, emails and text messages; the first is the default. en, de, es, fr, pl, ru, tr, uk; `de-informal`: German with "du"; others with a file in `dashboard.texts`
   * @default ["en","de","es","fr","pl","ru","tr","uk"]
   */
  locales?: Array<string> | undefined
  /** Folder with your own texts: one file for each language, such as `de.json`; relative paths start at the folder of the project */
  texts?: string | undefined
}

interface DashboardBrandingOptions {
  /** Color of buttons and links, such as "#0b6b61", or `{ light, dark }`. Any color works: text on it is black or white, and links get a shade that is readable */
  accent?: string | {
    /** Color on light pages */
    light: string
    /** Color on dark pages */
    dark: string
  } | undefined
  /** Logo: the path of an SVG, PNG, WebP or JPEG file of at most 200 KiB, an https: URL or a data: URL */
  logo?: string | undefined
  /** Logo on dark ground; default: `logo` */
  logoDark?: string | undefined
  /** Icon of the browser tab: the path of an SVG, PNG or ICO file of at most 100 KiB */
  favicon?: string | undefined
  /** Next to the form on wide screens: a pattern in the accent color (`dots`, `grid`, `rings` or `stripes`), or the path of an SVG, PNG, WebP or JPEG file of at most 1000 KiB */
  cover?: 'dots' | 'grid' | 'rings' | 'stripes' | string | undefined
  /** Corners of controls: `square`, `default`, `round`, or pixels up to 16 */
  radius?: 'square' | 'default' | 'round' | number | undefined
  /** Font of all pages: the path of a WOFF 2 file of at most 500 KiB */
  font?: string | undefined
  /** Privacy policy, linked on the hosted pages */
  privacyURL?: string | undefined
  /** Terms of service, linked on the hosted pages */
  termsURL?: string | undefined
  /** Help page or mailto: URL, linked on the hosted pages */
  helpURL?: string | undefined
  /** Email address of your support, on the hosted pages and the error pages */
  supportEmail?: string | undefined
  /** Further links at the foot of the hosted pages, at most 6: `{ label, url }` */
  footerLinks?: Array<{
    /** A text, or one per language */
    label: string | Record<string, string>
    /** http:, https: or mailto: URL */
    url: string
  }> | undefined
}

interface RateLimitOptions {
  /** Default: true in production, otherwise false */
  enabled?: boolean | undefined
  /**
   * Length of the default window, in seconds. Integer from 1
   * @default 10
   */
  window?: number | undefined
  /**
   * Requests allowed in the default window. Integer from 1
   * @default 100
   */
  max?: number | undefined
  /** Rules by path, exact or with `*`: a rule, `false` for no limit, or a function of the request; the first match wins */
  customRules?: Record<string, {
    /** Length of the window, in seconds. Integer from 1 */
    window: number
    /** Requests allowed in the window. Integer from 1 */
    max: number
  } | false | Extract<NonNullable<z.input<DeclaredConfig['rateLimit']['shape']['customRules']>>[string], (...given: never) => unknown>> | undefined
  /** Where requests are counted; default: `secondary-storage` (Redis) if configured, otherwise `memory` */
  storage?: 'memory' | 'database' | 'secondary-storage' | undefined
  /** Custom store; counts are not exact under concurrency */
  customStorage?: {
    /** Function that returns the count of a key, or null */
    get: NonNullable<z.input<DeclaredConfig['rateLimit']['shape']['customStorage']>>['get']
    /** Function that stores the count of a key */
    set: NonNullable<z.input<DeclaredConfig['rateLimit']['shape']['customStorage']>>['set']
  } | undefined
}

interface AuditOptions {
  /**
   * Seconds after which events are deleted; default: 400 days. Integer from 86400
   * @default 34560000
   */
  retention?: number | undefined
  /**
   * Log each event, and once a minute the end of the chain, as one line too, so that it is shipped with the log; without details. `latchkey dev` logs none
   * @default true
   */
  log?: boolean | undefined
}

interface MailOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Sender, such as Acme <no-reply@acme.example> */
  from?: string | undefined
  /** smtp://user:password@host:587 (STARTTLS) or smtps://host:465; SMTP_URL sets it if the file does not */
  smtp?: string | undefined
  /** `verify`: TLS with a verified certificate, the default for every host except loopback; `off`: no TLS */
  tls?: 'verify' | 'off' | undefined
  /** Path of a PEM file with the certificate authority to trust */
  ca?: string | undefined
  /** Function that delivers each email instead of SMTP */
  send?: z.input<DeclaredConfig['mail']['shape']['send']> | undefined
  /**
   * Store emails and show them on the hosted page /mailbox instead of sending them; for development
   * @default false
   */
  catch?: boolean | undefined
  /** Custom templates, by kind of email. */
  templates?: MailTemplatesOptions | undefined
}

interface MailTemplatesOptions {
  /** Function that renders the email that notifies of a sign-in from a new device or network */
  'new-sign-in'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['new-sign-in']> | undefined
  /** Function that renders the email that notifies of sessions that ended because of `session.maxPerUser` */
  'session-limit'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['session-limit']> | undefined
  /** Function that renders the email that notifies of an unlinked account or a removed password */
  'sign-in-method-removed'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['sign-in-method-removed']> | undefined
  /** Function that renders the email that notifies of a ban */
  'account-banned'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['account-banned']> | undefined
  /** Function that renders the email that notifies of the deletion of the account */
  'account-deleted'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['account-deleted']> | undefined
  /** Function that renders the email that notifies of an impersonation */
  'account-impersonated'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['account-impersonated']> | undefined
  /** Function that renders the email with the verification link */
  verification?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['verification']> | undefined
  /** Function that renders the email that says what ended when the owner of an email address verified it */
  'earlier-access-ended'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['earlier-access-ended']> | undefined
  /** Function that renders the email to a user whose email address was used to sign up again */
  'account-exists'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['account-exists']> | undefined
  /** Function that renders the email with an invitation */
  'organization-invitation'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['organization-invitation']> | undefined
  /** Function that renders the email that asks a member of an organization to set up a second factor */
  'organization-two-factor'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['organization-two-factor']> | undefined
  /** Function that renders the email that notifies of a linked social account */
  'account-linked'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['account-linked']> | undefined
  /** Function that renders the email with the reset link */
  'reset-password'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['reset-password']> | undefined
  /** Function that renders the email that notifies of a new password */
  'password-changed'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['password-changed']> | undefined
  /** Function that renders the email with the confirmation link for a new email address */
  'change-email'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['change-email']> | undefined
  /** Function that renders the email that notifies of a new email address */
  'email-changed'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['email-changed']> | undefined
  /** Function that renders the email to a user whose email address another user wanted to change to */
  'email-in-use'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['email-in-use']> | undefined
  /** Function that renders the email with the confirmation link for an account deletion */
  'delete-account'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['delete-account']> | undefined
  /** Function that renders the email that notifies of a new phone number */
  'phone-number-changed'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['phone-number-changed']> | undefined
  /** Function that renders the email with a code */
  'email-code'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['email-code']> | undefined
  /** Function that renders the email with a code and a link to sign in */
  'sign-in-email'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['sign-in-email']> | undefined
  /** Function that renders the email with a code for a new email address */
  'email-change-code'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['email-change-code']> | undefined
  /** Function that renders the email with a link and a code to sign in */
  'magic-link'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['magic-link']> | undefined
  /** Function that renders the email that says that the account is locked */
  'account-locked'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['account-locked']> | undefined
  /** Function that renders the email that says that a locked account was opened */
  'account-unlocked'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['account-unlocked']> | undefined
  /** Function that renders the email that confirms a place on the waiting list */
  'waiting-list-joined'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['waiting-list-joined']> | undefined
  /** Function that renders the email with the link to the sign-up, after an approval */
  'waiting-list-approved'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['waiting-list-approved']> | undefined
  /** Function that renders the email that notifies of a new second factor */
  'two-factor-enabled'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['two-factor-enabled']> | undefined
  /** Function that renders the email that notifies of a removed second factor */
  'two-factor-disabled'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['two-factor-disabled']> | undefined
  /** Function that renders the email that notifies of a used backup code */
  'backup-code-used'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['backup-code-used']> | undefined
  /** Function that renders the email that notifies of few backup codes that are left */
  'backup-codes-low'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['backup-codes-low']> | undefined
  /** Function that renders the email that notifies of new backup codes */
  'backup-codes-created'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['backup-codes-created']> | undefined
  /** Function that renders the email that notifies of a right password without the second factor */
  'password-may-be-known'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['password-may-be-known']> | undefined
  /** Function that renders the email that notifies of a trusted browser whose cookie was copied */
  'trusted-browser-copied'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['trusted-browser-copied']> | undefined
  /** Function that renders the email that notifies of too many wrong codes */
  'two-factor-suspended'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['two-factor-suspended']> | undefined
  /** Function that renders the email that notifies of a reset of second factors: requested, soon, done */
  'two-factor-reset'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['two-factor-reset']> | undefined
  /** Function that renders the email with a code that requests a reset of second factors */
  'two-factor-reset-code'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['two-factor-reset-code']> | undefined
  /** Function that renders the email with a code as second factor */
  'two-factor-code'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['two-factor-code']> | undefined
  /** Function that renders the email that notifies of a new passkey */
  'passkey-added'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['passkey-added']> | undefined
  /** Function that renders the email that notifies of a removed passkey */
  'passkey-removed'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['passkey-removed']> | undefined
  /** Function that renders the email that notifies of a passkey that was suspended */
  'passkey-cloned'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['passkey-cloned']> | undefined
  /** Function that renders the email with the code of a sign-up with a passkey */
  'passkey-sign-up'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['passkey-sign-up']> | undefined
  /** Function that renders the email that reminds of a second factor that a rule demands */
  'two-factor-due'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['two-factor-due']> | undefined
  /** Function that renders the email that notifies of a new API key */
  'api-key-created'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['api-key-created']> | undefined
  /** Function that renders the email with the setup link of a user who was moved without a password */
  'set-up-link'?: z.input<DeclaredConfig['mail']['shape']['templates']['shape']['set-up-link']> | undefined
}

interface MailLimitOptions {
  /** Default: true in production, otherwise false */
  enabled?: boolean | undefined
  /**
   * Emails of each kind that a recipient gets in the window; further ones are not sent, and the response is the same. Integer 1 to 1000
   * @default 5
   */
  max?: number | undefined
  /**
   * Length of the window in seconds, from its first email. Integer 60 to 86400
   * @default 3600
   */
  window?: number | undefined
  /** Limit of emails that one client network has sent to addresses of its choice; twice as many for all networks of an IPv6 site (/48). */
  perNetwork?: MailLimitPerNetworkOptions | undefined
  /** Limit of such emails of all networks, which bounds what an attack from many networks sends. */
  total?: MailLimitTotalOptions | undefined
}

interface MailLimitSharedOptions {
  /**
   * Length of the window in seconds, from its first email. Integer 60 to 86400
   * @default 3600
   */
  window?: number | undefined
}

interface MailLimitPerNetworkOptions extends MailLimitSharedOptions {
  /**
   * Emails in the window, such as verification and reset links. Integer 1 to 1000000
   * @default 200
   */
  max?: number | undefined
}

interface MailLimitTotalOptions extends MailLimitSharedOptions {
  /**
   * Emails in the window. Integer 1 to 100000000
   * @default 50000
   */
  max?: number | undefined
}

interface SmsOptions {
  /** Function that sends a text message `{ id, to, kind, text, code }`, by the API of your provider */
  send?: z.input<DeclaredConfig['sms']['shape']['send']> | undefined
  /** Starts of the phone numbers that are accepted, such as +49 and +43; default: all */
  allowedPrefixes?: Array<string> | undefined
  /**
   * Store text messages and show them on the hosted page /mailbox instead of sending them; for development
   * @default false
   */
  catch?: boolean | undefined
}

interface SmsLimitOptions {
  /** Default: true in production, otherwise false */
  enabled?: boolean | undefined
  /**
   * Seconds between two text messages to one number. Integer 1 to 3600
   * @default 60
   */
  interval?: number | undefined
  /** Limit for one phone number. */
  perNumber?: SmsLimitPerNumberOptions | undefined
  /** Limit for one client network; twice as many for all networks of an IPv6 site (/48). */
  perNetwork?: SmsLimitPerNetworkOptions | undefined
  /** Limit for all phone numbers of one country code. */
  perCountry?: SmsLimitPerCountryOptions | undefined
  /** Limit for all text messages, which bounds what an attack on many countries costs. */
  total?: SmsLimitTotalOptions | undefined
}

interface SmsLimitPerNumberOptions {
  /**
   * Text messages in the window. Integer 1 to 1000000
   * @default 5
   */
  max?: number | undefined
  /**
   * Length of the window in seconds, from its first text message. Integer 60 to 86400
   * @default 3600
   */
  window?: number | undefined
}

interface SmsLimitPerNetworkOptions {
  /**
   * Text messages in the window. Integer 1 to 1000000
   * @default 20
   */
  max?: number | undefined
  /**
   * Length of the window in seconds, from its first text message. Integer 60 to 86400
   * @default 3600
   */
  window?: number | undefined
}

interface SmsLimitPerCountryOptions {
  /**
   * Text messages in the window. Integer 1 to 1000000
   * @default 1000
   */
  max?: number | undefined
  /**
   * Length of the window in seconds, from its first text message. Integer 60 to 86400
   * @default 3600
   */
  window?: number | undefined
}

interface SmsLimitTotalOptions {
  /**
   * Text messages in the window. Integer 1 to 1000000
   * @default 5000
   */
  max?: number | undefined
  /**
   * Length of the window in seconds, from its first text message. Integer 60 to 86400
   * @default 3600
   */
  window?: number | undefined
}

interface DatabaseHooksOptions {
  /** Hooks for users. */
  user?: DatabaseHooksUserOptions | undefined
  /** Hooks for sessions. */
  session?: DatabaseHooksSessionOptions | undefined
  /** Hooks for verifications. */
  verification?: DatabaseHooksVerificationOptions | undefined
  /** Hooks for accounts. */
  account?: DatabaseHooksAccountOptions | undefined
}

interface DatabaseHooksUserOptions {
  /** Before and after users are created. */
  create?: DatabaseHooksUserCreateOptions | undefined
  /** Before and after users are updated. */
  update?: DatabaseHooksUserUpdateOptions | undefined
}

interface DatabaseHooksUserCreateOptions {
  /** Called with the row to create; `false` rejects it, `{ data }` changes it */
  before?: z.input<DeclaredConfig['databaseHooks']['shape']['user']['shape']['create']['shape']['before']> | undefined
  /** Called with the written row after the commit; an error is logged */
  after?: z.input<DeclaredConfig['databaseHooks']['shape']['user']['shape']['create']['shape']['after']> | undefined
}

interface DatabaseHooksUserUpdateOptions {
  /** Called with the columns to update; `false` rejects the update, `{ data }` replaces them */
  before?: z.input<DeclaredConfig['databaseHooks']['shape']['user']['shape']['update']['shape']['before']> | undefined
  /** Called with the written row after the commit; an error is logged */
  after?: z.input<DeclaredConfig['databaseHooks']['shape']['user']['shape']['update']['shape']['after']> | undefined
}

interface DatabaseHooksSessionOptions {
  /** Before and after sessions are created. */
  create?: DatabaseHooksSessionCreateOptions | undefined
  /** Before and after sessions are updated. */
  update?: DatabaseHooksSessionUpdateOptions | undefined
}

interface DatabaseHooksSessionCreateOptions {
  /** Called with the row to create; `false` rejects it, `{ data }` changes it */
  before?: z.input<DeclaredConfig['databaseHooks']['shape']['session']['shape']['create']['shape']['before']> | undefined
  /** Called with the written row after the commit; an error is logged */
  after?: z.input<DeclaredConfig['databaseHooks']['shape']['session']['shape']['create']['shape']['after']> | undefined
}

interface DatabaseHooksSessionUpdateOptions {
  /** Called with the columns to update; `false` rejects the update, `{ data }` replaces them */
  before?: z.input<DeclaredConfig['databaseHooks']['shape']['session']['shape']['update']['shape']['before']> | undefined
  /** Called with the written row after the commit; an error is logged */
  after?: z.input<DeclaredConfig['databaseHooks']['shape']['session']['shape']['update']['shape']['after']> | undefined
}

interface DatabaseHooksVerificationOptions {
  /** Before and after verifications are created. */
  create?: DatabaseHooksVerificationCreateOptions | undefined
  /** Before and after verifications are updated. */
  update?: DatabaseHooksVerificationUpdateOptions | undefined
}

interface DatabaseHooksVerificationCreateOptions {
  /** Called with the row to create; `false` rejects it, `{ data }` changes it */
  before?: z.input<DeclaredConfig['databaseHooks']['shape']['verification']['shape']['create']['shape']['before']> | undefined
  /** Called with the written row after the commit; an error is logged */
  after?: z.input<DeclaredConfig['databaseHooks']['shape']['verification']['shape']['create']['shape']['after']> | undefined
}

interface DatabaseHooksVerificationUpdateOptions {
  /** Called with the columns to update; `false` rejects the update, `{ data }` replaces them */
  before?: z.input<DeclaredConfig['databaseHooks']['shape']['verification']['shape']['update']['shape']['before']> | undefined
  /** Called with the written row after the commit; an error is logged */
  after?: z.input<DeclaredConfig['databaseHooks']['shape']['verification']['shape']['update']['shape']['after']> | undefined
}

interface DatabaseHooksAccountOptions {
  /** Before and after accounts are created. */
  create?: DatabaseHooksAccountCreateOptions | undefined
  /** Before and after accounts are updated. */
  update?: DatabaseHooksAccountUpdateOptions | undefined
}

interface DatabaseHooksAccountCreateOptions {
  /** Called with the row to create; `false` rejects it, `{ data }` changes it */
  before?: z.input<DeclaredConfig['databaseHooks']['shape']['account']['shape']['create']['shape']['before']> | undefined
  /** Called with the written row after the commit; an error is logged */
  after?: z.input<DeclaredConfig['databaseHooks']['shape']['account']['shape']['create']['shape']['after']> | undefined
}

interface DatabaseHooksAccountUpdateOptions {
  /** Called with the columns to update; `false` rejects the update, `{ data }` replaces them */
  before?: z.input<DeclaredConfig['databaseHooks']['shape']['account']['shape']['update']['shape']['before']> | undefined
  /** Called with the written row after the commit; an error is logged */
  after?: z.input<DeclaredConfig['databaseHooks']['shape']['account']['shape']['update']['shape']['after']> | undefined
}

interface UserOptions {
  /** Custom columns by name: `{ type, required, input, returned, unique, sortable, bigint, defaultValue, validator, transform, fieldName, label }`; `sortable` adds an index, for lists that are sorted or filtered by the field; `type` is "string", "number", "boolean", "date", "string[]", "number[]" or a list of allowed strings; `label` is the name in forms, a text or one per language */
  additionalFields?: Record<string, {
    /** Type of the values, or a list of allowed strings */
    type: 'string' | 'number' | 'boolean' | 'date' | 'string[]' | 'number[]' | Array<string>
    /**
     * Require a value when the row is created
     * @default true
     */
    required?: boolean | undefined
    /**
     * Accept values from clients; `false` ignores them
     * @default true
     */
    input?: boolean | undefined
    /**
     * Return the value in responses
     * @default true
     */
    returned?: boolean | undefined
    /**
     * Reject a value that another row has
     * @default false
     */
    unique?: boolean | undefined
    /**
     * Limit strings to 255 characters, so that lists can be sorted by them
     * @default false
     */
    sortable?: boolean | undefined
    /**
     * Accept integers up to 9,007,199,254,740,991 instead of 2,147,483,647
     * @default false
     */
    bigint?: boolean | undefined
    /** Value of a new row that has none, or a function that returns it */
    defaultValue?: unknown | undefined
    /** Schema of zod for values of clients */
    validator?: {
      /** Schema that checks values of clients */
      input: NonNullable<NonNullable<NonNullable<z.input<DeclaredConfig['user']['shape']['additionalFields']>>[string]>['validator']>['input']
    } | undefined
    /** Functions that change values when they are stored and returned */
    transform?: {
      /** Function that returns the value to store */
      input?: NonNullable<NonNullable<NonNullable<z.input<DeclaredConfig['user']['shape']['additionalFields']>>[string]>['transform']>['input'] | undefined
      /** Function that returns the value of responses */
      output?: NonNullable<NonNullable<NonNullable<z.input<DeclaredConfig['user']['shape']['additionalFields']>>[string]>['transform']>['output'] | undefined
    } | undefined
    /** Name of the column; default: the name of the field */
    fieldName?: string | undefined
    /** Name in forms: a text, or one for each language */
    label?: string | Record<string, string> | undefined
  }> | undefined
  /** The language of users as the field `locale`, which clients set and read. Off unless `enabled: true`. */
  locale?: UserLocaleOptions | undefined
  /** Email address changes by users. Off unless `enabled: true`. */
  changeEmail?: UserChangeEmailOptions | undefined
  /** Account deletion by users. Off unless `enabled: true`. */
  deleteUser?: UserDeleteUserOptions | undefined
}

interface UserLocaleOptions {
  /**
   * Enable this section
   * @default false
   */
  enabled?: boolean
}

interface UserChangeEmailOptions {
  /**
   * Enable this section
   * @default false
   */
  enabled?: boolean
  /**
   * Require a session within `session.freshAge` of the sign-in, so that a stolen cookie does not become an account
   * @default true
   */
  requireFreshSession?: boolean | undefined
  /** Function that sends the notice of a new email address to the former one; `false` disables it. Default: the built-in email, if mail is configured */
  sendEmailChanged?: boolean | Extract<z.input<DeclaredConfig['user']['shape']['changeEmail']['shape']['sendEmailChanged']>, (...given: never) => unknown> | undefined
  /** Function that sends the confirmation link to the current email address; `false` disables it. Default: the built-in email, if mail is configured */
  sendChangeEmailVerification?: boolean | Extract<z.input<DeclaredConfig['user']['shape']['changeEmail']['shape']['sendChangeEmailVerification']>, (...given: never) => unknown> | undefined
}

interface UserDeleteUserOptions {
  /**
   * Enable this section
   * @default false
   */
  enabled?: boolean
  /**
   * Send a confirmation link before an account is deleted: `true` sends the built-in email, a function sends its own
   * @default false
   */
  sendDeleteAccountVerification?: boolean | Extract<z.input<DeclaredConfig['user']['shape']['deleteUser']['shape']['sendDeleteAccountVerification']>, (...given: never) => unknown> | undefined
  /**
   * Lifetime of the confirmation link in seconds. Integer 1 to 604800
   * @default 86400
   */
  deleteTokenExpiresIn?: number | undefined
  /** Called before an account is deleted; an error cancels the deletion */
  beforeDelete?: z.input<DeclaredConfig['user']['shape']['deleteUser']['shape']['beforeDelete']> | undefined
  /** Called after an account was deleted */
  afterDelete?: z.input<DeclaredConfig['user']['shape']['deleteUser']['shape']['afterDelete']> | undefined
}

interface SignUpOptions {
  /**
   * `invite`: only with an invite link, or an invitation to an organization; `waiting-list`: after an approval too; `closed`: administrators and operators create users
   * @default 'open'
   */
  mode?: 'open' | 'invite' | 'waiting-list' | 'closed' | undefined
  /** Email addresses and domains that may sign up, all others may not: `ann@acme.example`, `*@acme.example`, `*.acme.example` for subdomains; with `*` too, the list only makes exceptions to `disposable` */
  allow?: Array<string> | undefined
  /** File with more entries of `allow`, one a line; `#` starts a comment */
  allowFile?: string | undefined
  /** Email addresses and domains that must not sign up; they come before `allow` */
  block?: Array<string> | undefined
  /** File with more entries of `block`, one a line; `#` starts a comment */
  blockFile?: string | undefined
  /**
   * `block`: reject domains of disposable mailboxes, by a list that is part of Latchkey
   * @default 'allow'
   */
  disposable?: 'allow' | 'block' | undefined
  /**
   * Create one user for each mailbox: addresses that differ only in what their provider ignores, such as dots and tags of Gmail, count as one
   * @default false
   */
  oneMailbox?: boolean | undefined
  /**
   * Admit email addresses that are invited to an organization, whatever the mode, `allow` and `disposable`; never those of `block`. Any user who may invite then decides who signs up
   * @default false
   */
  invitationsPass?: boolean | undefined
  /** Links with which administrators invite new users; `signUp.mode: "invite"` enables them too. Off unless present. */
  inviteLinks?: boolean | SignUpInviteLinksOptions | undefined
  /** A list on which visitors wait for an account; `signUp.mode: "waiting-list"` enables it too. Off unless present. */
  waitingList?: boolean | SignUpWaitingListOptions | undefined
}

interface SignUpInviteLinksOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Lifetime of a link in seconds, when it is created without one. Integer 60 to 31536000
   * @default 604800
   */
  expiresIn?: number | undefined
  /** Page of the application that gets the parameter `token` and calls `/invite-link/open`; default: the hosted page /join */
  url?: string | undefined
}

interface SignUpWaitingListOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Seconds after which an entry is deleted, whatever was decided; default: 365 days. Integer from 86400
   * @default 31536000
   */
  retention?: number | undefined
  /** Sign-up page of the application, for the email about an approval; default: the hosted page /sign-up */
  url?: string | undefined
}

interface SignInOptions {
  /**
   * `all`: all methods on one page; `identifier-first`: the email address, username or phone number first, then one method and a way to the others. The server is not asked about them in between
   * @default 'all'
   */
  page?: 'all' | 'identifier-first' | undefined
  /** Names of enabled sign-in methods, such as `passkey`, `password`, `email-code`, `magic-link`, `social` and `phone-number`, in the order in which the page offers them; the others follow */
  order?: Array<string> | undefined
  /**
   * Offer "Continue as Ann": after a sign-in with "Keep me signed in", the browser stores the name and the email address until the user removes them
   * @default false
   */
  rememberAccount?: boolean | undefined
}

interface SessionOptions {
  /**
   * Session lifetime in seconds, counted from the last renewal. Integer from 1
   * @default 604800
   */
  expiresIn?: number | undefined
  /**
   * Seconds after which a session in use is renewed; 0: at every use; `expiresIn` or more: never. Integer from 0
   * @default 86400
   */
  updateAge?: number | undefined
  /**
   * Disable the renewal of sessions
   * @default false
   */
  disableSessionRefresh?: boolean | undefined
  /**
   * Seconds after sign-in during which a session is fresh, as sensitive calls require; 0: always fresh. Integer from 0
   * @default 86400
   */
  freshAge?: number | undefined
  /**
   * Which of the users' own calls require a fresh session: those of better-auth, or also those that add or remove a sign-in method or an API key, revoke sessions, or give or destroy power in organizations (ASVS 7.5.1). Pages ask to sign in again in place
   * @default 'reference'
   */
  freshFor?: 'reference' | 'sensitive' | undefined
  /** Custom columns by name: `{ type, required, input, returned, unique, sortable, bigint, defaultValue, validator, transform, fieldName, label }`; `sortable` adds an index, for lists that are sorted or filtered by the field; `type` is "string", "number", "boolean", "date", "string[]", "number[]" or a list of allowed strings; `label` is the name in forms, a text or one per language */
  additionalFields?: Record<string, {
    /** Type of the values, or a list of allowed strings */
    type: 'string' | 'number' | 'boolean' | 'date' | 'string[]' | 'number[]' | Array<string>
    /**
     * Require a value when the row is created
     * @default true
     */
    required?: boolean | undefined
    /**
     * Accept values from clients; `false` ignores them
     * @default true
     */
    input?: boolean | undefined
    /**
     * Return the value in responses
     * @default true
     */
    returned?: boolean | undefined
    /**
     * Reject a value that another row has
     * @default false
     */
    unique?: boolean | undefined
    /**
     * Limit strings to 255 characters, so that lists can be sorted by them
     * @default false
     */
    sortable?: boolean | undefined
    /**
     * Accept integers up to 9,007,199,254,740,991 instead of 2,147,483,647
     * @default false
     */
    bigint?: boolean | undefined
    /** Value of a new row that has none, or a function that returns it */
    defaultValue?: unknown | undefined
    /** Schema of zod for values of clients */
    validator?: {
      /** Schema that checks values of clients */
      input: NonNullable<NonNullable<NonNullable<z.input<DeclaredConfig['session']['shape']['additionalFields']>>[string]>['validator']>['input']
    } | undefined
    /** Functions that change values when they are stored and returned */
    transform?: {
      /** Function that returns the value to store */
      input?: NonNullable<NonNullable<NonNullable<z.input<DeclaredConfig['session']['shape']['additionalFields']>>[string]>['transform']>['input'] | undefined
      /** Function that returns the value of responses */
      output?: NonNullable<NonNullable<NonNullable<z.input<DeclaredConfig['session']['shape']['additionalFields']>>[string]>['transform']>['output'] | undefined
    } | undefined
    /** Name of the column; default: the name of the field */
    fieldName?: string | undefined
    /** Name in forms: a text, or one for each language */
    label?: string | Record<string, string> | undefined
  }> | undefined
  /** Cache session and user in a signed cookie; Redis invalidates it when they change. Off unless `enabled: true`. */
  cookieCache?: SessionCookieCacheOptions | undefined
  /**
   * Return the session token in responses, for clients without cookies; `false`: return the session ID instead (ASVS 3.3.4)
   * @default true
   */
  exposeToken?: boolean | undefined
  /**
   * What browsers delete of this origin after sign-out (Clear-Site-Data): `cookies` and `storage` also delete those of applications on the same domain; an empty list: nothing
   * @default ["cache"]
   */
  clearSiteData?: Array<'cache' | 'cookies' | 'storage'> | undefined
  /**
   * Let /revoke-session succeed, without effect, for unknown sessions and sessions of other users, as better-auth 1.7 does
   * @default false
   */
  quietRevocation?: boolean | undefined
  /**
   * Maximum number of sessions of a user; a further sign-in revokes the oldest. 0: 10,000. Integer from 0
   * @default 100
   */
  maxPerUser?: number | undefined
  /**
   * At sign-in, revoke the session that the same browser had before (ASVS 7.2.4)
   * @default true
   */
  revokePreviousOnSignIn?: boolean | undefined
  /**
   * Return `acr`, `amr` and `authenticatedAt` with the session of `/get-session`: how the user was authenticated, and when
   * @default false
   */
  exposeAuthentication?: boolean | undefined
  /** How long a session counts as authenticated with two factors; the user stays signed in with one. */
  strong?: SessionStrongOptions | undefined
  /**
   * Maximum lifetime of a session in seconds, however often it is renewed; 0: no limit (NIST SP 800-63B advises 30 days). Integer from 0
   * @default 2592000
   */
  absoluteMaxAge?: number | undefined
}

interface SessionCookieCacheOptions {
  /**
   * Enable this section
   * @default false
   */
  enabled?: boolean
  /**
   * Lifetime of the cached copy in seconds. Integer 1 to 34560000
   * @default 60
   */
  maxAge?: number | undefined
}

interface SessionStrongOptions {
  /**
   * Seconds after the second factor was proven; 0: no limit (NIST SP 800-63B advises 24 hours). Integer from 0
   * @default 0
   */
  maxAge?: number | undefined
  /**
   * Seconds without use of the session; 0: no limit (NIST SP 800-63B advises 1 hour). Integer from 0
   * @default 0
   */
  idle?: number | undefined
}

interface VerificationOptions {
  /**
   * Keep expired tokens in the table, which then grows without limit
   * @default false
   */
  disableCleanup?: boolean | undefined
}

interface AccountOptions {
  /** Linking several accounts to one user. */
  accountLinking?: AccountAccountLinkingOptions | undefined
  /**
   * Store the new provider tokens at each sign-in
   * @default true
   */
  updateAccountOnSignIn?: boolean | undefined
  /**
   * Return the refresh token in `/get-access-token`
   * @default false
   */
  exposeRefreshToken?: boolean | undefined
  /**
   * Accept a callback in another browser than the one that started the sign-in; this allows login CSRF
   * @default false
   */
  skipStateCookieCheck?: boolean | undefined
}

interface AccountAccountLinkingOptions {
  /**
   * Allow a user to unlink their last account
   * @default false
   */
  allowUnlinkingAll?: boolean | undefined
  /**
   * Link a social account to the user with the same email address
   * @default true
   */
  enabled?: boolean | undefined
  /** Providers that link also when they have not verified the email address */
  trustedProviders?: Array<string> | undefined
  /**
   * Allow users to link accounts with another email address
   * @default false
   */
  allowDifferentEmails?: boolean | undefined
  /**
   * Update name and image of the user when they link an account
   * @default false
   */
  updateUserInfoOnLink?: boolean | undefined
  /** Function that sends the notice of a linked social account; `false` disables it. Default: the built-in email, if mail is configured */
  sendAccountLinked?: boolean | Extract<z.input<DeclaredConfig['account']['shape']['accountLinking']['shape']['sendAccountLinked']>, (...given: never) => unknown> | undefined
  /** When the email address of the user was never verified, because another person may have signed up with it: `revoke` first removes their sessions, password and other accounts; `reject` does not link; `keep` links, as better-auth does. Default: `revoke`, but `keep` if no verification emails are sent */
  unverifiedUsers?: 'revoke' | 'reject' | 'keep' | undefined
}

interface SeedOptions {
  /** Permissions of each role: actions by resource, such as { support: { user: ["list"] } } */
  roles?: Record<string, Record<string, Array<string>>> | undefined
  /** Administrators */
  admins?: Array<{
    /** Email address of the administrator */
    email: string
    /** Name of the administrator */
    name: string
    /**
     * Role names, separated by commas
     * @default 'admin'
     */
    role?: string | undefined
    /** Name of the environment variable with the password; the variable with _FILE appended may name a file instead; read only while the administrator has no password; default: a setup link is created */
    passwordEnv?: string | undefined
  }> | undefined
  /**
   * Lifetime of a setup link in seconds. Integer 1 to 604800
   * @default 86400
   */
  setupLinkExpiresIn?: number | undefined
  /** Organizations with their members and teams */
  organizations?: Array<{
    /** Identifies the organization */
    slug: string
    /** Name of the organization */
    name: string
    /** Email address of a user */
    owner: string
    /** Members other than the owner */
    members?: Array<{
      /** Email address of a user */
      email: string
      /**
       * Role names, separated by commas
       * @default 'member'
       */
      role?: string | undefined
      /** Name of a team of the organization; default: unchanged */
      team?: string | undefined
    }> | undefined
    /** Names of teams */
    teams?: Array<string> | undefined
    /** Policy of second factors; needs `twoFactor.required` with `{ organizations: true }`; default: unchanged */
    twoFactor?: {
      /** Whether members need a second factor to act in the organization */
      required: boolean
      /** Days that a member without one has; default: unchanged, 0 for a new policy. Integer 0 to 365 */
      graceDays?: number | undefined
      /** Whether a member who has lost their second factor sees the names of administrators; default: unchanged */
      showAdministrators?: boolean | undefined
    } | undefined
  }> | undefined
}

interface AttemptsOptions {
  /** Default: true in production, otherwise false */
  enabled?: boolean | undefined
  /** Backoff for one account from one network. */
  perNetwork?: AttemptsPerNetworkOptions | undefined
  /** Backoff for one account from all networks together. */
  perAccount?: AttemptsPerAccountOptions | undefined
  /**
   * Seconds without a failure after which the count restarts. Integer 60 to 31536000
   * @default 86400
   */
  forgetAfter?: number | undefined
  /**
   * Set a cookie that identifies a known device even after sign-out
   * @default false
   */
  deviceCookie?: boolean | undefined
}

interface AttemptsPerNetworkOptions {
  /**
   * Consecutive failures before backoff starts. Integer 1 to 1000
   * @default 10
   */
  failures?: number | undefined
  /**
   * First delay in seconds; doubled with each further failure. Integer 1 to 3600
   * @default 1
   */
  firstDelay?: number | undefined
  /**
   * Maximum delay in seconds; no account is ever locked permanently. Integer 1 to 86400
   * @default 900
   */
  longestDelay?: number | undefined
}

interface AttemptsPerAccountOptions {
  /**
   * Consecutive failures before backoff starts. Integer 1 to 1000
   * @default 50
   */
  failures?: number | undefined
  /**
   * First delay in seconds; doubled with each further failure. Integer 1 to 3600
   * @default 1
   */
  firstDelay?: number | undefined
  /**
   * Maximum delay in seconds; no account is ever locked permanently. Integer 1 to 86400
   * @default 60
   */
  longestDelay?: number | undefined
}

interface NoticesOptions {
  /** Function that sends the notice of a sign-in from a new device or network; `false` disables it. Default: the built-in email, if mail is configured */
  sendNewSignIn?: boolean | Extract<z.input<DeclaredConfig['notices']['shape']['sendNewSignIn']>, (...given: never) => unknown> | undefined
  /** Function that sends the notice of sessions that ended because a user signed in more than `session.maxPerUser` times, once a day at most; `false` disables it. Default: the built-in email, if mail is configured */
  sendSessionLimit?: boolean | Extract<z.input<DeclaredConfig['notices']['shape']['sendSessionLimit']>, (...given: never) => unknown> | undefined
  /** Function that sends the notice of a removed sign-in method; `false` disables it. Default: the built-in email, if mail is configured */
  sendSignInMethodRemoved?: boolean | Extract<z.input<DeclaredConfig['notices']['shape']['sendSignInMethodRemoved']>, (...given: never) => unknown> | undefined
  /** Function that sends the notice of a ban; `false` disables it. Default: the built-in email, if mail is configured */
  sendAccountBanned?: boolean | Extract<z.input<DeclaredConfig['notices']['shape']['sendAccountBanned']>, (...given: never) => unknown> | undefined
  /** Function that sends the notice of the deletion of an account; `false` disables it. Default: the built-in email, if mail is configured */
  sendAccountDeleted?: boolean | Extract<z.input<DeclaredConfig['notices']['shape']['sendAccountDeleted']>, (...given: never) => unknown> | undefined
  /** Function that sends the notice of an impersonation, with `admin.notifyOfImpersonation`; `false` disables it. Default: the built-in email, if mail is configured */
  sendAccountImpersonated?: boolean | Extract<z.input<DeclaredConfig['notices']['shape']['sendAccountImpersonated']>, (...given: never) => unknown> | undefined
  /**
   * Seconds after its last sign-in for which a device is known; default: 180 days. Integer from 86400
   * @default 15552000
   */
  deviceRetention?: number | undefined
  /**
   * Add a link to notices with which their reader locks the account without signing in
   * @default true
   */
  lockLink?: boolean | undefined
  /**
   * Lifetime of such a link in seconds; default: 7 days. Integer 3600 to 31536000
   * @default 604800
   */
  lockLinkExpiresIn?: number | undefined
  /** URL of a page of your application to which the link leads, with the parameter `token`. Default: the hosted page */
  lockPage?: string | undefined
}

interface PasswordHashOptions {
  /**
   * Memory, in KiB. Integer 8192 to 4194304
   * @default 19456
   */
  memory?: number | undefined
  /**
   * Passes over the memory. Integer 1 to 100
   * @default 2
   */
  iterations?: number | undefined
  /**
   * Lanes that one hash computes in parallel. Integer 1 to 64
   * @default 1
   */
  parallelism?: number | undefined
  /** Concurrent hashes in each worker; default: the number of cores. Integer 1 to 128 */
  concurrency?: number | undefined
  /**
   * Hashes that may wait in each worker; further ones fail with 503. Integer 0 to 10000
   * @default 64
   */
  queue?: number | undefined
  /** Peppers of imported bcrypt hashes (Devise) by the name that the hashes contain; take them from the environment */
  peppers?: Record<string, string> | undefined
  /** Signer keys of imported Firebase hashes in base64, by the name that the hashes contain; take them from the environment */
  firebase?: Record<string, string> | undefined
}

interface HaveIBeenPwnedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Message of the error `PASSWORD_COMPROMISED` in API responses; hosted pages have their own text */
  customPasswordCompromisedMessage?: string | undefined
  /** URL of the range search, of a mirror of your own; default: `https://api.pwnedpasswords.com/range/` */
  rangeURL?: string | undefined
}

interface PasswordRulesOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Reject passwords from the bundled list of common and breached ones
   * @default true
   */
  blockCommon?: boolean | undefined
  /**
   * Reject passwords made of the user’s name or email address, or of the name or host of this service
   * @default true
   */
  contextWords?: boolean | undefined
}

interface EmailVerificationOptions {
  /** Function that sends the verification link; `false` disables it. Default: the built-in email, if mail is configured */
  sendVerificationEmail?: boolean | Extract<z.input<DeclaredConfig['emailVerification']['shape']['sendVerificationEmail']>, (...given: never) => unknown> | undefined
  /**
   * Send a verification email at sign-up
   * @default false
   */
  sendOnSignUp?: boolean | undefined
  /**
   * Create a session when the verification link is opened
   * @default false
   */
  autoSignInAfterVerification?: boolean | undefined
  /** When a call alone, without the hosted page, first verifies an email address in a browser that is neither signed in as the user nor the one that signed up: revoke the sessions of the user, and remove password, social accounts, phone number and API keys. It also signs out users who verify on another device than they signed up on. Default: true for magic links and codes, which the owner of the address asks for, false for verification links */
  revokeEarlierAccess?: boolean | undefined
  /**
   * Lifetime of a verification link in seconds. Integer 1 to 604800
   * @default 3600
   */
  expiresIn?: number | undefined
  /** Called once for each link, before the email address is verified */
  onEmailVerification?: z.input<DeclaredConfig['emailVerification']['shape']['onEmailVerification']> | undefined
}

interface EmailAndPasswordOptions {
  /**
   * Enable this section
   * @default false
   */
  enabled?: boolean
  /**
   * Disable sign-up
   * @default false
   */
  disableSignUp?: boolean | undefined
  /**
   * Require a verified email before sign-in; sign-up and sign-in send the verification email
   * @default false
   */
  requireEmailVerification?: boolean | undefined
  /**
   * Do not reveal whether an email address has an account: sign-up and `/change-email` always respond the same, and notify an existing user by email; needs requireEmailVerification
   * @default false
   */
  antiEnumeration?: boolean | undefined
  /**
   * Minimum password length; NIST SP 800-63B recommends 15 without a second factor. Integer 8 to 128
   * @default 8
   */
  minPasswordLength?: number | undefined
  /**
   * Maximum password length. Integer 64 to 1000
   * @default 128
   */
  maxPasswordLength?: number | undefined
  /** Custom hash functions in place of argon2id; set both or neither. */
  password?: EmailAndPasswordPasswordOptions | undefined
  /**
   * Create a session at sign-up
   * @default true
   */
  autoSignIn?: boolean | undefined
  /** Function that sends the password reset link; `false` disables it. Default: the built-in email, if mail is configured */
  sendResetPassword?: boolean | Extract<z.input<DeclaredConfig['emailAndPassword']['shape']['sendResetPassword']>, (...given: never) => unknown> | undefined
  /**
   * Lifetime of a reset link in seconds. Integer 1 to 86400
   * @default 3600
   */
  resetPasswordTokenExpiresIn?: number | undefined
  /**
   * Revoke all sessions of a user after a password reset
   * @default true
   */
  revokeSessionsOnPasswordReset?: boolean | undefined
  /** Function that sends the notice of a new password; `false` disables it. Default: the built-in email, if mail is configured */
  sendPasswordChanged?: boolean | Extract<z.input<DeclaredConfig['emailAndPassword']['shape']['sendPasswordChanged']>, (...given: never) => unknown> | undefined
}

interface EmailAndPasswordPasswordOptions {
  /** Function that hashes a password and returns the string to store */
  hash?: z.input<DeclaredConfig['emailAndPassword']['shape']['password']['shape']['hash']> | undefined
  /** Function that gets `{ hash, password }` and returns whether they match; called for hashes of your own function */
  verify?: z.input<DeclaredConfig['emailAndPassword']['shape']['password']['shape']['verify']> | undefined
}

interface OrganizationOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Whether users may create organizations, or a function that decides for a user
   * @default true
   */
  allowUserToCreateOrganization?: boolean | Extract<z.input<DeclaredConfig['organization']['shape']['allowUserToCreateOrganization']>, (...given: never) => unknown> | undefined
  /** Maximum number of organizations of a user who creates one, or a function that returns true when the limit is reached; default: no limit */
  organizationLimit?: number | Extract<z.input<DeclaredConfig['organization']['shape']['organizationLimit']>, (...given: never) => unknown> | undefined
  /**
   * Role of the creator; every organization keeps at least one member with it
   * @default 'owner'
   */
  creatorRole?: string | undefined
  /**
   * Maximum number of members of an organization, or a function that returns it
   * @default 100
   */
  membershipLimit?: number | Extract<z.input<DeclaredConfig['organization']['shape']['membershipLimit']>, (...given: never) => unknown> | undefined
  /** Resources and actions of your application that roles may permit, such as { project: ["create"] }, in addition to the built-in ones */
  ac?: z.input<DeclaredConfig['organization']['shape']['ac']> | undefined
  /** Roles of members in place of `owner`, `admin` and `member`: actions by resource */
  roles?: Record<string, NonNullable<z.input<DeclaredConfig['organization']['shape']['roles']>>[string]> | undefined
  /** Roles that members make for their organization while the service runs. Off unless present. */
  dynamicAccessControl?: boolean | OrganizationDynamicAccessControlOptions | undefined
  /** Teams within organizations. Off unless present. */
  teams?: boolean | OrganizationTeamsOptions | undefined
  /**
   * Lifetime of an invitation in seconds. Integer from 1
   * @default 172800
   */
  invitationExpiresIn?: number | undefined
  /**
   * Maximum number of pending invitations of an organization, or a function that returns it
   * @default 100
   */
  invitationLimit?: number | Extract<z.input<DeclaredConfig['organization']['shape']['invitationLimit']>, (...given: never) => unknown> | undefined
  /**
   * When an invitation is sent again, cancel the former one and create another; `false`: renew it
   * @default false
   */
  cancelPendingInvitationsOnReInvite?: boolean | undefined
  /**
   * Only a user with a verified email address can accept or reject an invitation
   * @default true
   */
  requireEmailVerificationOnInvitation?: boolean | undefined
  /** Function that sends the invitation; `false` disables it. Default: the built-in email, if mail is configured */
  sendInvitationEmail?: boolean | Extract<z.input<DeclaredConfig['organization']['shape']['sendInvitationEmail']>, (...given: never) => unknown> | undefined
  /** Limit of invitation emails that one member sends. */
  invitationMailLimit?: OrganizationInvitationMailLimitOptions | undefined
  /**
   * Reject roles that are neither configured nor seeded; `false`: accept any role name, as better-auth 1.2 does
   * @default true
   */
  checkRoles?: boolean | undefined
  /**
   * Return `metadata` as an object in every response; `false`: as text except after create and update, as better-auth does
   * @default false
   */
  metadataAsObject?: boolean | undefined
  /** Hooks around the creation of organizations. */
  organizationCreation?: OrganizationOrganizationCreationOptions | undefined
  /** Hooks around the deletion of organizations. */
  organizationDeletion?: OrganizationOrganizationDeletionOptions | undefined
}

interface OrganizationDynamicAccessControlOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Maximum number of such roles of an organization, or a function that returns it
   * @default 100
   */
  maximumRolesPerOrganization?: number | Extract<z.input<DeclaredConfig['organization']['shape']['dynamicAccessControl']['shape']['maximumRolesPerOrganization']>, (...given: never) => unknown> | undefined
}

interface OrganizationTeamsOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** The team that a new organization gets. */
  defaultTeam?: OrganizationTeamsDefaultTeamOptions | undefined
  /** Maximum number of teams of an organization, or a function that returns it; default: no limit */
  maximumTeams?: number | Extract<z.input<DeclaredConfig['organization']['shape']['teams']['shape']['maximumTeams']>, (...given: never) => unknown> | undefined
  /** Maximum number of members of a team, or a function that returns it; default: no limit */
  maximumMembersPerTeam?: number | Extract<z.input<DeclaredConfig['organization']['shape']['teams']['shape']['maximumMembersPerTeam']>, (...given: never) => unknown> | undefined
  /**
   * Allow removing the last team of an organization
   * @default false
   */
  allowRemovingAllTeams?: boolean | undefined
}

interface OrganizationTeamsDefaultTeamOptions {
  /**
   * Create a team together with each organization
   * @default true
   */
  enabled?: boolean | undefined
  /** Function that returns the team to create, such as `{ name: "Everyone" }`; default: the name of the organization */
  customCreateDefaultTeam?: z.input<DeclaredConfig['organization']['shape']['teams']['shape']['defaultTeam']['shape']['customCreateDefaultTeam']> | undefined
}

interface OrganizationInvitationMailLimitOptions {
  /**
   * Invitation emails per member in the window; a further invitation is rejected. Integer 1 to 100000
   * @default 200
   */
  max?: number | undefined
  /**
   * The same for a member whose email address is not verified, if verification emails are sent. Integer 1 to 100000
   * @default 5
   */
  maxUnverified?: number | undefined
  /**
   * Length of the window in seconds. Integer 60 to 86400
   * @default 3600
   */
  window?: number | undefined
}

interface OrganizationOrganizationCreationOptions {
  /**
   * Disable the creation of organizations by users
   * @default false
   */
  disabled?: boolean | undefined
  /** Called before an organization is created; `{ data }` changes its columns, and an error rejects it */
  beforeCreate?: z.input<DeclaredConfig['organization']['shape']['organizationCreation']['shape']['beforeCreate']> | undefined
  /** Called after an organization was created; an error is logged */
  afterCreate?: z.input<DeclaredConfig['organization']['shape']['organizationCreation']['shape']['afterCreate']> | undefined
}

interface OrganizationOrganizationDeletionOptions {
  /**
   * Disable the deletion of organizations by their members
   * @default false
   */
  disabled?: boolean | undefined
  /** Called before an organization is deleted; an error rejects it */
  beforeDelete?: z.input<DeclaredConfig['organization']['shape']['organizationDeletion']['shape']['beforeDelete']> | undefined
  /** Called after an organization was deleted; an error is logged */
  afterDelete?: z.input<DeclaredConfig['organization']['shape']['organizationDeletion']['shape']['afterDelete']> | undefined
}

interface SocialProvidersOptions {
  /** Sign-in with Apple. Off unless present. */
  apple?: boolean | SocialProvidersAppleOptions | undefined
  /** Sign-in with Discord. Off unless present. */
  discord?: boolean | SocialProvidersDiscordOptions | undefined
  /** Sign-in with Facebook. Off unless present. */
  facebook?: boolean | SocialProvidersFacebookOptions | undefined
  /** Sign-in with GitHub. Off unless present. */
  github?: boolean | SocialProvidersGithubOptions | undefined
  /** Sign-in with Microsoft. Off unless present. */
  microsoft?: boolean | SocialProvidersMicrosoftOptions | undefined
  /** Sign-in with Google. Off unless present. */
  google?: boolean | SocialProvidersGoogleOptions | undefined
  /** Sign-in with Hugging Face. Off unless present. */
  huggingface?: boolean | SocialProvidersHuggingfaceOptions | undefined
  /** Sign-in with Spotify. Off unless present. */
  spotify?: boolean | SocialProvidersSpotifyOptions | undefined
  /** Sign-in with Twitch. Off unless present. */
  twitch?: boolean | SocialProvidersTwitchOptions | undefined
  /** Sign-in with X. Off unless present. */
  twitter?: boolean | SocialProvidersTwitterOptions | undefined
  /** Sign-in with Dropbox. Off unless present. */
  dropbox?: boolean | SocialProvidersDropboxOptions | undefined
  /** Sign-in with Kick. Off unless present. */
  kick?: boolean | SocialProvidersKickOptions | undefined
  /** Sign-in with LinkedIn. Off unless present. */
  linkedin?: boolean | SocialProvidersLinkedinOptions | undefined
  /** Sign-in with GitLab. Off unless present. */
  gitlab?: boolean | SocialProvidersGitlabOptions | undefined
  /** Sign-in with TikTok. Off unless present. */
  tiktok?: boolean | SocialProvidersTiktokOptions | undefined
  /** Sign-in with Reddit. Off unless present. */
  reddit?: boolean | SocialProvidersRedditOptions | undefined
  /** Sign-in with Roblox. Off unless present. */
  roblox?: boolean | SocialProvidersRobloxOptions | undefined
  /** Sign-in with VK. Off unless present. */
  vk?: boolean | SocialProvidersVkOptions | undefined
  /** Sign-in with Zoom. Off unless present. */
  zoom?: boolean | SocialProvidersZoomOptions | undefined
  /** Sign-in with Slack. Off unless present. */
  slack?: boolean | SocialProvidersSlackOptions | undefined
  /** Sign-in with Notion. Off unless present. */
  notion?: boolean | SocialProvidersNotionOptions | undefined
  /** Sign-in with Atlassian. Off unless present. */
  atlassian?: boolean | SocialProvidersAtlassianOptions | undefined
}

interface SocialProvidersSharedOptions {
  /** Client ID that the provider assigned, or a list: the first one starts sign-ins, and ID tokens for all of them are accepted */
  clientId?: string | Array<string | undefined> | undefined
  /** Client secret that the provider assigned */
  clientSecret?: string | undefined
  /** Client key, for providers that use one in place of a client ID */
  clientKey?: string | undefined
  /** Scopes to request in addition to the default ones */
  scope?: Array<string> | undefined
  /**
   * Request only the scopes in `scope`
   * @default false
   */
  disableDefaultScope?: boolean | undefined
  /** Redirect URI to send; default: `<baseURL>/callback/<provider>` */
  redirectURI?: string | undefined
  /** Value of the parameter `prompt`, such as `select_account` */
  prompt?: string | undefined
  /** How the provider returns to the redirect URI */
  responseMode?: 'query' | 'form_post' | undefined
  /** Send a code challenge; default: as the provider documents */
  pkce?: boolean | undefined
  /**
   * Reject sign-in with an ID token
   * @default false
   */
  disableIdTokenSignIn?: boolean | undefined
  /**
   * Create users only for requests with `requestSignUp`
   * @default false
   */
  disableImplicitSignUp?: boolean | undefined
  /**
   * Never create users
   * @default false
   */
  disableSignUp?: boolean | undefined
  /**
   * Update the user from the provider profile at each sign-in
   * @default false
   */
  overrideUserInfoOnSignIn?: boolean | undefined
  /** Replaces the authorization endpoint of the provider */
  authorizationEndpoint?: string | undefined
  /** Replaces the token endpoint of the provider */
  tokenEndpoint?: string | undefined
  /** Replaces the user info endpoint of the provider */
  userInfoEndpoint?: string | undefined
  /** Replaces the URL of the keys that sign ID tokens */
  jwksUri?: string | undefined
  /** Function that verifies an ID token in place of the built-in verification */
  verifyIdToken?: z.input<DeclaredConfig['socialProviders']['shape']['apple']['shape']['verifyIdToken']> | undefined
  /** Function that gets the tokens and returns `user` (`id`, `name`, `email`, `image`, `emailVerified`), and the profile as `data` */
  getUserInfo?: z.input<DeclaredConfig['socialProviders']['shape']['apple']['shape']['getUserInfo']> | undefined
  /** Function that gets a refresh token and returns new tokens */
  refreshAccessToken?: z.input<DeclaredConfig['socialProviders']['shape']['apple']['shape']['refreshAccessToken']> | undefined
  /** Function that gets the provider profile and returns fields of the user, which replace the mapped ones */
  mapProfileToUser?: z.input<DeclaredConfig['socialProviders']['shape']['apple']['shape']['mapProfileToUser']> | undefined
}

interface SocialProvidersAppleOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /** Bundle ID of the app whose ID tokens are accepted */
  appBundleIdentifier?: string | undefined
  /** Team ID, to make client secrets */
  teamId?: string | undefined
  /** ID of the private key */
  keyId?: string | undefined
  /** Text of the .p8 file that Apple provides, in place of `clientSecret`, which would expire after 6 months */
  privateKey?: string | undefined
}

interface SocialProvidersDiscordOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersFacebookOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /** ID of a configuration of Facebook Login for Business */
  configId?: string | undefined
  /** Fields of the user to fetch in addition to the usual ones */
  fields?: Array<string> | undefined
}

interface SocialProvidersGithubOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersMicrosoftOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /**
   * Tenant whose users can sign in: its ID or domain, `common`, `organizations` or `consumers`
   * @default 'common'
   */
  tenantId?: string | undefined
  /**
   * Width and height of the photo, in pixels
   * @default 48
   */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648 | undefined
  /**
   * Do not fetch the photo
   * @default false
   */
  disableProfilePhoto?: boolean | undefined
}

interface SocialProvidersGoogleOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /** `offline` requests a refresh token */
  accessType?: 'online' | 'offline' | undefined
  /** How Google displays its pages */
  display?: 'page' | 'popup' | 'touch' | 'wap' | undefined
  /** Domain of the Google Workspace organization to sign in with */
  hd?: string | undefined
}

interface SocialProvidersHuggingfaceOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersSpotifyOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersTwitchOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /**
   * Claims to request in the ID token, in addition to the email address
   * @default ["preferred_username","picture"]
   */
  claims?: Array<string> | undefined
}

interface SocialProvidersTwitterOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersDropboxOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /** `offline` requests a refresh token */
  accessType?: 'online' | 'offline' | undefined
}

interface SocialProvidersKickOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersLinkedinOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersGitlabOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** URL of a self-hosted instance */
  issuer?: string | undefined
}

interface SocialProvidersTiktokOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersRedditOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /** How long Reddit grants access: `permanent` requests a refresh token */
  duration?: 'temporary' | 'permanent' | undefined
}

interface SocialProvidersRobloxOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersVkOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /** Language of VK's pages: 0 Russian, 1 Ukrainian, 3 English, 4 Spanish, 6 German, 15 Polish, 16 French, 82 Turkish */
  lang_id?: 0 | 1 | 3 | 4 | 6 | 15 | 16 | 82 | undefined
  /** Color scheme of VK's pages */
  scheme?: 'light' | 'dark' | undefined
}

interface SocialProvidersZoomOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersSlackOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
  /** ID of the only Slack workspace whose members can sign in */
  team?: string | undefined
}

interface SocialProvidersNotionOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface SocialProvidersAtlassianOptions extends SocialProvidersSharedOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Replaces the issuer of the provider */
  issuer?: string | undefined
}

interface GenericOAuthOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Providers: each with `providerId`, `clientId`, `clientSecret` and `discoveryUrl`, or its URLs */
  config?: Array<{
    /** ID of the provider, part of its redirect URI */
    providerId: string
    /** Name on buttons; default: the ID */
    name?: string | undefined
    /** URL of the OpenID Connect discovery document, from which the other URLs are read */
    discoveryUrl?: string | undefined
    /** Authorization endpoint */
    authorizationUrl?: string | undefined
    /** Token endpoint */
    tokenUrl?: string | undefined
    /** User info endpoint */
    userInfoUrl?: string | undefined
    /** Replaces the issuer of the provider */
    issuer?: string | undefined
    /** Replaces the URL of the keys that sign ID tokens */
    jwksUri?: string | undefined
    /** Client ID that the provider assigned, or a list: the first one starts sign-ins, and ID tokens for all of them are accepted */
    clientId?: string | Array<string | undefined> | undefined
    /** Client secret that the provider assigned */
    clientSecret?: string | undefined
    /** Scopes to request */
    scopes?: Array<string> | undefined
    /** Redirect URI to send; default: `<baseURL>/oauth2/callback/<providerId>` */
    redirectURI?: string | undefined
    /**
     * Value of the parameter `response_type`
     * @default 'code'
     */
    responseType?: 'code' | 'code id_token' | undefined
    /** How the provider returns to the redirect URI */
    responseMode?: 'query' | 'form_post' | undefined
    /** Value of the parameter `prompt`, such as `select_account` */
    prompt?: string | undefined
    /**
     * Send a code challenge
     * @default false
     */
    pkce?: boolean | undefined
    /** Value of the parameter `access_type` */
    accessType?: string | undefined
    /** More parameters of the authorization request */
    authorizationUrlParams?: Record<string, string> | undefined
    /**
     * How the client authenticates at the token endpoint
     * @default 'post'
     */
    authentication?: 'basic' | 'post' | undefined
    /** Headers of the request for the discovery document */
    discoveryHeaders?: Record<string, string> | undefined
    /** Headers of the token request */
    authorizationHeaders?: Record<string, string> | undefined
    /**
     * Create users only for requests with `requestSignUp`
     * @default false
     */
    disableImplicitSignUp?: boolean | undefined
    /**
     * Never create users
     * @default false
     */
    disableSignUp?: boolean | undefined
    /**
     * Update the user from the provider profile at each sign-in
     * @default false
     */
    overrideUserInfo?: boolean | undefined
    /** Function that gets the tokens and returns `user` (`id`, `name`, `email`, `image`, `emailVerified`), and the profile as `data` */
    getUserInfo?: NonNullable<NonNullable<z.input<DeclaredConfig['genericOAuth']['shape']['config']>>[number]>['getUserInfo'] | undefined
    /** Function that gets the provider profile and returns fields of the user, which replace the mapped ones */
    mapProfileToUser?: NonNullable<NonNullable<z.input<DeclaredConfig['genericOAuth']['shape']['config']>>[number]>['mapProfileToUser'] | undefined
  }> | undefined
}

interface AvatarsOptions {
  /** Functions that store uploaded pictures elsewhere, such as in a bucket, and delete them with their user; default: in the database */
  store?: {
    /** Stores a picture: gets `userId`, `id`, `bytes` and `contentType`, and returns its `https:` URL */
    put: NonNullable<z.input<DeclaredConfig['avatars']['shape']['store']>>['put']
    /** Deletes the picture with this URL; called again until it succeeds */
    delete: NonNullable<z.input<DeclaredConfig['avatars']['shape']['store']>>['delete']
  } | undefined
}

interface UsernameOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Minimum length of a username. Integer 1 to 64
   * @default 3
   */
  minUsernameLength?: number | undefined
  /**
   * Maximum length of a username. Integer 1 to 64
   * @default 30
   */
  maxUsernameLength?: number | undefined
  /** Function that returns whether a username is valid; default: ASCII letters, digits, underscores and dots */
  usernameValidator?: z.input<DeclaredConfig['username']['shape']['usernameValidator']> | undefined
}

interface PhoneNumberOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Digits of a code. Integer 4 to 10
   * @default 6
   */
  otpLength?: number | undefined
  /**
   * Lifetime of a code in seconds. Integer 30 to 3600
   * @default 300
   */
  expiresIn?: number | undefined
  /**
   * Wrong codes after which a new code is needed. Integer 1 to 10
   * @default 3
   */
  allowedAttempts?: number | undefined
  /** Function that sends a code that verifies a phone number, with `{ phoneNumber, code }`; default: a text message by `sms.send` */
  sendOTP?: z.input<DeclaredConfig['phoneNumber']['shape']['sendOTP']> | undefined
  /** Function that sends a code that resets a password, with `{ phoneNumber, code }`; default: a text message by `sms.send` */
  sendPasswordResetOTP?: z.input<DeclaredConfig['phoneNumber']['shape']['sendPasswordResetOTP']> | undefined
  /** Function that sends the same code, by its older name, with `{ phoneNumber, code }`; default: a text message by `sms.send` */
  sendForgetPasswordOTP?: z.input<DeclaredConfig['phoneNumber']['shape']['sendForgetPasswordOTP']> | undefined
  /** Function that returns whether a phone number, without spaces and punctuation, is valid; default: international numbers that start with + (ITU-T E.164) */
  phoneNumberValidator?: z.input<DeclaredConfig['phoneNumber']['shape']['phoneNumberValidator']> | undefined
  /**
   * Reject a sign-in with password and a phone number that is not verified, and send a code
   * @default false
   */
  requireVerification?: boolean | undefined
  /**
   * To change the phone number, require a session within `session.freshAge` of the sign-in, so that a stolen cookie does not become an account
   * @default true
   */
  requireFreshSession?: boolean | undefined
  /** Called after a phone number was verified by a sign-in or sign-up; an error rejects the call */
  callbackOnVerification?: z.input<DeclaredConfig['phoneNumber']['shape']['callbackOnVerification']> | undefined
  /** Create a user when an unknown phone number is verified; `getTempEmail(phoneNumber)` returns a unique placeholder for the email address, `getTempName(phoneNumber)` the name */
  signUpOnVerification?: {
    /** Function that returns a unique placeholder for the email address */
    getTempEmail: NonNullable<z.input<DeclaredConfig['phoneNumber']['shape']['signUpOnVerification']>>['getTempEmail']
    /** Function that returns the name; default: the phone number */
    getTempName?: NonNullable<z.input<DeclaredConfig['phoneNumber']['shape']['signUpOnVerification']>>['getTempName'] | undefined
  } | undefined
  /** Function that sends the notice of a new phone number to a verified email address; `false` disables it. Default: the built-in email, if mail is configured */
  sendPhoneNumberChanged?: boolean | Extract<z.input<DeclaredConfig['phoneNumber']['shape']['sendPhoneNumberChanged']>, (...given: never) => unknown> | undefined
}

interface EmailOTPOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Digits of a code. Integer 6 to 10
   * @default 6
   */
  otpLength?: number | undefined
  /**
   * Lifetime of a code in seconds. Integer 60 to 600
   * @default 600
   */
  expiresIn?: number | undefined
  /**
   * Wrong codes after which a new code is needed. Integer 1 to 10
   * @default 3
   */
  allowedAttempts?: number | undefined
  /**
   * Create no users: a code signs in only users who exist
   * @default false
   */
  disableSignUp?: boolean | undefined
  /**
   * Send a code that verifies the email address at sign-up, in place of a verification link
   * @default false
   */
  sendVerificationOnSignUp?: boolean | undefined
  /**
   * Send a code in place of each verification link, except by `emailVerification.sendVerificationEmail`
   * @default false
   */
  overrideDefaultEmailVerification?: boolean | undefined
  /** Changes of the email address with a code to the new one. Off unless `enabled: true`. */
  changeEmail?: EmailOTPChangeEmailOptions | undefined
  /** Function that sends the code; `false` disables it. Default: the built-in email, if mail is configured */
  sendVerificationOTP?: boolean | Extract<z.input<DeclaredConfig['emailOTP']['shape']['sendVerificationOTP']>, (...given: never) => unknown> | undefined
  /** Function that makes a code: 6 to 32 letters and digits; default: random digits */
  generateOTP?: z.input<DeclaredConfig['emailOTP']['shape']['generateOTP']> | undefined
  /**
   * Rate limit of each of the calls
   * @default {"window":60,"max":3}
   */
  rateLimit?: {
    /** Length of the window, in seconds. Integer from 1 */
    window: number
    /** Requests allowed in the window. Integer from 1 */
    max: number
  } | undefined
  /**
   * A code works only in the browser that asked for it, so that an attacker elsewhere cannot guess it, use up its attempts or replace it
   * @default true
   */
  bindToBrowser?: boolean | undefined
}

interface EmailOTPChangeEmailOptions {
  /**
   * Enable this section
   * @default false
   */
  enabled?: boolean
  /**
   * Also require a code that was sent to the current email address
   * @default true
   */
  verifyCurrentEmail?: boolean | undefined
}

interface MagicLinkOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Lifetime of a link in seconds. Integer 60 to 3600
   * @default 600
   */
  expiresIn?: number | undefined
  /**
   * Create no users: a link signs in only users who exist
   * @default false
   */
  disableSignUp?: boolean | undefined
  /** Function that sends the link; `false` disables it. Default: the built-in email, if mail is configured */
  sendMagicLink?: boolean | Extract<z.input<DeclaredConfig['magicLink']['shape']['sendMagicLink']>, (...given: never) => unknown> | undefined
  /** Function that makes the token of a link: 20 to 200 characters that cannot be guessed; default: 32 random letters */
  generateToken?: z.input<DeclaredConfig['magicLink']['shape']['generateToken']> | undefined
  /**
   * Rate limit of each of the calls
   * @default {"window":60,"max":5}
   */
  rateLimit?: {
    /** Length of the window, in seconds. Integer from 1 */
    window: number
    /** Requests allowed in the window. Integer from 1 */
    max: number
  } | undefined
  /**
   * In another browser than the one that asked, a link signs in after a click or shows a code for the first browser (`confirm`), only shows the code (`code`), or does nothing (`refuse`)
   * @default 'confirm'
   */
  otherBrowser?: 'confirm' | 'code' | 'refuse' | undefined
}

interface LastLoginMethodOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Name of the cookie; the published client reads the default one
   * @default 'better-auth.last_used_login_method'
   */
  cookieName?: string | undefined
  /**
   * Lifetime of the cookie in seconds. Integer 1 to 34560000
   * @default 2592000
   */
  maxAge?: number | undefined
}

interface AdminOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Role of a new user
   * @default 'user'
   */
  defaultRole?: string | undefined
  /** Roles of administrators: only with `allowImpersonatingAdmins` can they be impersonated */
  adminRoles?: string | Array<string> | undefined
  /** IDs of users who have every permission */
  adminUserIds?: Array<string> | undefined
  /** Resources and actions of your application that roles may permit, such as { report: ["read"] }, in addition to the built-in ones */
  ac?: z.input<DeclaredConfig['admin']['shape']['ac']> | undefined
  /** Roles in place of `admin`, which permits everything, and `user`, which permits nothing: actions by resource */
  roles?: Record<string, NonNullable<z.input<DeclaredConfig['admin']['shape']['roles']>>[string]> | undefined
  /**
   * Reason of a ban without one
   * @default 'No reason'
   */
  defaultBanReason?: string | undefined
  /** Length of a ban in seconds; default: until it is lifted. Integer from 1 */
  defaultBanExpiresIn?: number | undefined
  /**
   * What a banned user reads at sign-in
   * @default 'You have been banned from this application. Please contact support if you believe this is an error.'
   */
  bannedUserMessage?: string | undefined
  /**
   * Lifetime of an impersonation in seconds, one hour at most. Integer 60 to 3600
   * @default 3600
   */
  impersonationSessionDuration?: number | undefined
  /**
   * Allow impersonating users with one of `adminRoles` or `adminUserIds`, as better-auth 1.2 does
   * @default false
   */
  allowImpersonatingAdmins?: boolean | undefined
  /**
   * Reject an impersonation without a reason; the published clients send none, the hosted pages always do
   * @default false
   */
  requireImpersonationReason?: boolean | undefined
  /**
   * Send users with a verified email address a notice when an administrator starts to act as them; it names neither the administrator nor the reason
   * @default false
   */
  notifyOfImpersonation?: boolean | undefined
  /**
   * Require that the administrator authenticated within `session.freshAge` for calls that create or change users, roles, bans, passwords and keys, remove or export data, or revoke sessions (ASVS 7.5.1)
   * @default true
   */
  requireFreshSession?: boolean | undefined
  /**
   * Require that the administrator authenticated within `session.freshAge` to impersonate a user
   * @default true
   */
  impersonationRequiresFreshSession?: boolean | undefined
  /**
   * Allow administrators to set passwords; `false`: they can only send reset links (ASVS 6.4.6)
   * @default true
   */
  allowSettingPasswords?: boolean | undefined
  /**
   * A user must replace a password that an administrator set at the next sign-in
   * @default false
   */
  forcePasswordChange?: boolean | undefined
  /**
   * Users that one bulk action changes at most. Integer 1 to 50000
   * @default 10000
   */
  bulkActionLimit?: number | undefined
  /**
   * Milliseconds after which a list or search is canceled. Integer 100 to 60000
   * @default 2000
   */
  listTimeout?: number | undefined
}

interface JwtOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Signing keys. */
  jwks?: JwtJwksOptions | undefined
  /** Tokens. */
  jwt?: JwtJwtOptions | undefined
}

interface JwtJwksOptions {
  /** Algorithm of new keys. */
  keyPairConfig?: JwtJwksKeyPairConfigOptions | undefined
  /**
   * Store the private keys of new signing keys in plain text: who reads the database can then sign tokens
   * @default false
   */
  disablePrivateKeyEncryption?: boolean | undefined
  /**
   * Seconds after which a new key replaces the current one; 0: only `latchkey keys rotate` does. Default: 90 days. Integer from 0
   * @default 7776000
   */
  rotationInterval?: number | undefined
  /**
   * Seconds that a new key is published before it signs, so that verifiers know it by then. Integer 600 to 2592000
   * @default 3600
   */
  activationDelay?: number | undefined
  /**
   * Seconds that a key stays published after the last token that it signed has expired. Integer 300 to 31536000
   * @default 3600
   */
  gracePeriod?: number | undefined
}

interface JwtJwksKeyPairConfigOptions {
  /**
   * Signature algorithm; `ECDH-ES` is none, and is rejected
   * @default 'EdDSA'
   */
  alg?: 'EdDSA' | 'ES256' | 'ES512' | 'RS256' | 'PS256' | 'ECDH-ES' | undefined
  /** Curve of `EdDSA`: `Ed25519` */
  crv?: string | undefined
  /** Bits of an RSA key; default: 2048. Integer 2048 to 4096 */
  modulusLength?: number | undefined
}

interface JwtJwtOptions {
  /** Claim `iss`; default: the origin of `baseURL` */
  issuer?: string | undefined
  /** Claim `aud`; default: the origin of `baseURL` */
  audience?: string | Array<string> | undefined
  /**
   * Lifetime of tokens: seconds, a text such as `15m` or `2 hours`, or the date at which all tokens expire
   * @default '15m'
   */
  expirationTime?: number | string | Date | undefined
  /** Returns the claims in place of the fields of the user; `iat`, `iss`, `aud`, `exp` and `sub` are added */
  definePayload?: z.input<DeclaredConfig['jwt']['shape']['jwt']['shape']['definePayload']> | undefined
  /** Returns the claim `sub`; default: the ID of the user */
  getSubject?: z.input<DeclaredConfig['jwt']['shape']['jwt']['shape']['getSubject']> | undefined
}

interface BearerOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Accept only signed tokens, as the header `set-auth-token` has them; `false`: also the `token` of a response
   * @default false
   */
  requireSignature?: boolean | undefined
}

interface TwoFactorOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Name in authenticator apps; default: `appName` */
  issuer?: string | undefined
  /**
   * Enable authenticator apps without a first code; a user who scanned nothing is then locked out
   * @default false
   */
  skipVerificationOnEnable?: boolean | undefined
  /**
   * Let users without a password enable a second factor, with a sign-in within `twoFactor.stepUp.maxAge`
   * @default true
   */
  allowPasswordless?: boolean | undefined
  /**
   * Seconds between the first and the second factor. Integer 60 to 3600
   * @default 600
   */
  twoFactorCookieMaxAge?: number | undefined
  /**
   * Seconds for which a browser that the user trusts needs no second factor; 0: users cannot trust browsers. Integer 0 to 34560000
   * @default 2592000
   */
  trustDeviceMaxAge?: number | undefined
  /** Codes of authenticator apps (TOTP, RFC 6238). */
  totpOptions?: TwoFactorTotpOptionsOptions | undefined
  /** Codes that are sent. */
  otpOptions?: TwoFactorOtpOptionsOptions | undefined
  /** Backup codes. */
  backupCodeOptions?: TwoFactorBackupCodeOptionsOptions | undefined
  /** Delay after wrong codes, for all sign-ins of one user together. */
  accountLockout?: TwoFactorAccountLockoutOptions | undefined
  /** Rules that demand a second factor of users: of `roles`, of `everyone`, of those that were `moved`, or of the members of organizations that require it */
  required?: Array<{
    /** Names of the roles whose users it is for */
    roles?: Array<string> | undefined
    /** It is for every user */
    everyone?: true | undefined
    /** It is for users whose second factor a move could not bring, with `--require-mfa-setup`, until they have set one up */
    moved?: true | undefined
    /**
     * Second factors that satisfy it: `passkey`, `totp`, `sms`
     * @default ["passkey","totp"]
     */
    methods?: Array<'passkey' | 'totp' | 'sms'> | undefined
    /**
     * Days to set one up, from the first sign-in of the user under the rule. Integer 0 to 365
     * @default 0
     */
    graceDays?: number | undefined
    /** When the days of all users end at the latest, such as `2027-01-31` */
    latest?: string | string | undefined
    /** Whether users may trust browsers; default: not for roles with `graceDays: 0` */
    trustedDevices?: boolean | undefined
    /**
     * Whether API keys of users without a second factor work after these days
     * @default true
     */
    apiKeys?: boolean | undefined
  } | {
    /** Organizations may require one of their members */
    organizations: true
  }> | undefined
  /** Social providers whose sign-in counts as two factors: IDs, or objects with `id` and `when` */
  trustProviders?: Array<string | {
    /** ID of the provider */
    id: string
    /** Only then; default: always */
    when?: {
      /** A method that the ID token must name in `amr`, such as `mfa` */
      amr: string
    } | undefined
  }> | undefined
  /** Page of the application for the second factor, after a link or a social sign-in */
  pageURL?: string | undefined
  /** Proof of a second factor before dangerous calls, by users who have one. */
  stepUp?: TwoFactorStepUpOptions | undefined
  /**
   * Hours in which a further factor cannot be used to remove others, change the email address or delete the account; 0: none. Integer 0 to 720
   * @default 24
   */
  newFactorProbationHours?: number | undefined
  /** Resets of second factors that users have lost. */
  recovery?: TwoFactorRecoveryOptions | undefined
}

interface TwoFactorTotpOptionsOptions {
  /**
   * Digits of a code; many apps know 6 only
   * @default 6
   */
  digits?: 6 | 8 | undefined
  /**
   * Seconds for which a code is shown. Integer 15 to 120
   * @default 30
   */
  period?: number | undefined
  /**
   * Codes before and after the current one that are accepted
   * @default 1
   */
  window?: 0 | 1 | undefined
  /**
   * Turn authenticator apps off
   * @default false
   */
  disable?: boolean | undefined
  /** Name in authenticator apps; default: `twoFactor.issuer` */
  issuer?: string | undefined
  /**
   * Let users see the secret of an app that they have set up
   * @default true
   */
  allowReveal?: boolean | undefined
}

interface TwoFactorOtpOptionsOptions {
  /**
   * `sms`: to verified phone numbers (`phoneNumber`); `email`: weaker, because the mailbox often resets the password too
   * @default ["sms"]
   */
  channels?: Array<'sms' | 'email'> | undefined
  /**
   * Digits of a code. Integer 6 to 10
   * @default 6
   */
  digits?: number | undefined
  /**
   * Minutes for which a code works. 1 to 10
   * @default 10
   */
  period?: number | undefined
  /**
   * Wrong codes after which a new code is needed. Integer 1 to 10
   * @default 5
   */
  allowedAttempts?: number | undefined
  /** Function that sends a code, with `{ user, otp }`; default: a text message or an email */
  sendOTP?: z.input<DeclaredConfig['twoFactor']['shape']['otpOptions']['shape']['sendOTP']> | undefined
}

interface TwoFactorBackupCodeOptionsOptions {
  /**
   * Number of codes. Integer 1 to 20
   * @default 10
   */
  amount?: number | undefined
  /**
   * Characters of a code. Integer 8 to 64
   * @default 10
   */
  length?: number | undefined
  /** Function that returns the codes, each of at least 8 characters that cannot be guessed */
  customBackupCodesGenerate?: z.input<DeclaredConfig['twoFactor']['shape']['backupCodeOptions']['shape']['customBackupCodesGenerate']> | undefined
}

interface TwoFactorAccountLockoutOptions {
  /**
   * Delay further codes
   * @default true
   */
  enabled?: boolean | undefined
  /**
   * Consecutive wrong codes before the first delay, of 30 seconds. Integer 3 to 50
   * @default 10
   */
  maxFailedAttempts?: number | undefined
  /**
   * Maximum delay in seconds; doubled up to it. Integer 30 to 86400
   * @default 900
   */
  durationSeconds?: number | undefined
}

interface TwoFactorStepUpOptions {
  /**
   * Demand it
   * @default true
   */
  enabled?: boolean | undefined
  /**
   * Seconds for which a proof is recent enough. Integer 60 to 86400
   * @default 900
   */
  maxAge?: number | undefined
  /** Other ages for single paths; `false` demands nothing */
  calls?: Record<string, number | false> | undefined
}

interface TwoFactorRecoveryOptions {
  /**
   * Hours until a reset by an administrator or operator takes effect; the user can cancel it until then. Integer 0 to 720
   * @default 0
   */
  adminDelayHours?: number | undefined
  /**
   * Let users request a reset at sign-in, with codes to their verified email address and phone number
   * @default false
   */
  selfService?: boolean | undefined
  /**
   * Hours until a reset that a user requested takes effect. Integer 24 to 720
   * @default 72
   */
  selfServiceHours?: number | undefined
}

interface PasskeyOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Domain that passkeys belong to: the host of baseURL, which is the default, or a parent domain of it. A passkey of another domain stops working, so it cannot be changed later */
  rpID?: string | undefined
  /** Name that the browser shows; default: appName */
  rpName?: string | undefined
  /** Origins whose pages may use passkeys, and `android:apk-key-hash:…` of Android apps; default: baseURL, and the trustedOrigins without wildcard on the domain of `rpID` */
  origin?: string | Array<string> | undefined
  /** Origins on other domains whose pages may use the passkeys of `rpID` (Related Origin Requests) */
  relatedOrigins?: Array<string> | undefined
  /** Origins of pages that may embed a page that uses passkeys; default: none may */
  allowedTopOrigins?: Array<string> | undefined
  /**
   * What the browser asks of an authenticator
   * @default {"residentKey":"preferred","userVerification":"preferred"}
   */
  authenticatorSelection?: {
    /**
     * Whether the authenticator stores the passkey, so that it is found without an email address
     * @default 'preferred'
     */
    residentKey?: 'discouraged' | 'preferred' | 'required' | undefined
    /**
     * Whether the authenticator asks for a fingerprint, a face or a PIN
     * @default 'preferred'
     */
    userVerification?: 'discouraged' | 'preferred' | 'required' | undefined
    /** Only the device itself, or only other devices and security keys; default: any */
    authenticatorAttachment?: 'platform' | 'cross-platform' | undefined
  } | undefined
  /**
   * Signature algorithms of new passkeys, as COSE numbers, preferred first
   * @default [-8,-7,-257]
   */
  algorithms?: Array<-7 | -8 | -35 | -36 | -257 | -258 | -259 | -48> | undefined
  /**
   * Register passkeys of certain authenticators only
   * @default {"conveyance":"none"}
   */
  attestation?: {
    /**
     * Whether authenticators prove their model; with `enterprise` also which one it is, where the browser permits it
     * @default 'none'
     */
    conveyance?: 'none' | 'direct' | 'enterprise' | undefined
    /** Models that users may register, as AAGUIDs; default: every model of `metadataFile` */
    allow?: Array<string> | undefined
    /** File with the certificates of the makers: the list of the FIDO Alliance (https://mds3.fidoalliance.org), or metadata statements in JSON */
    metadataFile?: string | undefined
  } | undefined
  /** Functions that decide about new passkeys. */
  registration?: PasskeyRegistrationOptions | undefined
  /** Functions that decide about sign-ins with a passkey. */
  authentication?: PasskeyAuthenticationOptions | undefined
  /** Advanced options of passkeys. */
  advanced?: PasskeyAdvancedOptions | undefined
  /**
   * Reject passkeys whose authenticator did not verify its user; else they count as one factor
   * @default false
   */
  requireUserVerification?: boolean | undefined
  /**
   * Let visitors sign up with an email address and a passkey, without a password
   * @default false
   */
  signUp?: boolean | undefined
  /**
   * Accept a passkey that the browser creates without a dialog, within five minutes of a sign-in with a password
   * @default true
   */
  autoRegister?: boolean | undefined
  /**
   * List the passkeys of an email address before sign-in, for security keys that store none; unknown email addresses get random ones, which stay the same
   * @default false
   */
  byEmail?: boolean | undefined
  /**
   * Passkeys that a user may have. Integer 1 to 100
   * @default 20
   */
  maximumPasskeys?: number | undefined
  /** Function that sends the notice of a new passkey to a verified email address; `false` disables it. Default: the built-in email, if mail is configured */
  sendPasskeyAdded?: boolean | Extract<z.input<DeclaredConfig['passkey']['shape']['sendPasskeyAdded']>, (...given: never) => unknown> | undefined
  /** Function that sends the notice of a removed passkey to a verified email address; `false` disables it. Default: the built-in email, if mail is configured */
  sendPasskeyRemoved?: boolean | Extract<z.input<DeclaredConfig['passkey']['shape']['sendPasskeyRemoved']>, (...given: never) => unknown> | undefined
  /** Function that sends the notice of a suspended passkey to a verified email address; `false` disables it. Default: the built-in email, if mail is configured */
  sendPasskeyCloned?: boolean | Extract<z.input<DeclaredConfig['passkey']['shape']['sendPasskeyCloned']>, (...given: never) => unknown> | undefined
}

interface PasskeyRegistrationOptions {
  /**
   * Reject registrations without a session; `false`: `resolveUser` says whose passkey it becomes
   * @default true
   */
  requireSession?: boolean | undefined
  /** Function that returns the user who registers a passkey without a session, or null; it must verify `context` */
  resolveUser?: z.input<DeclaredConfig['passkey']['shape']['registration']['shape']['resolveUser']> | undefined
  /** Called with a verified passkey before it is stored; may name it, or reject it by an error */
  afterVerification?: z.input<DeclaredConfig['passkey']['shape']['registration']['shape']['afterVerification']> | undefined
  /** WebAuthn extensions in the options to add a passkey: an object, or a function that returns one */
  extensions?: Extract<z.input<DeclaredConfig['passkey']['shape']['registration']['shape']['extensions']>, (...given: never) => unknown> | Record<string, unknown> | undefined
}

interface PasskeyAuthenticationOptions {
  /** Called with a verified signature before it is used; may reject it by an error */
  afterVerification?: z.input<DeclaredConfig['passkey']['shape']['authentication']['shape']['afterVerification']> | undefined
  /** WebAuthn extensions in the options to use a passkey: an object, or a function that returns one */
  extensions?: Extract<z.input<DeclaredConfig['passkey']['shape']['authentication']['shape']['extensions']>, (...given: never) => unknown> | Record<string, unknown> | undefined
}

interface PasskeyAdvancedOptions {
  /**
   * Name of the cookie of a challenge, after `advanced.cookiePrefix` and a dot
   * @default 'better-auth-passkey'
   */
  webAuthnChallengeCookie?: string | undefined
}

interface AnonymousOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Domain of their email addresses, which get no mail; default: the host of `baseURL` */
  emailDomainName?: string | undefined
  /** Returns the name of a new user; default: `Anonymous` */
  generateName?: z.input<DeclaredConfig['anonymous']['shape']['generateName']> | undefined
  /** Called when an anonymous user signs in as another user, to hand their data over; if it throws, the anonymous user is kept */
  onLinkAccount?: z.input<DeclaredConfig['anonymous']['shape']['onLinkAccount']> | undefined
  /**
   * Keep the anonymous user after `onLinkAccount`; `false`: delete the user
   * @default false
   */
  disableDeleteAnonymousUser?: boolean | undefined
}

interface MultiSessionOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Maximum number of accounts in one browser; at most 20. Integer 1 to 20
   * @default 5
   */
  maximumSessions?: number | undefined
}

interface OneTimeTokenOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Lifetime of a token in minutes. 1 to 60
   * @default 3
   */
  expiresIn?: number | undefined
  /**
   * Let only servers create tokens: requests with a bearer token that no browser sends (`bearer` must be enabled); browsers get 400
   * @default false
   */
  disableClientRequest?: boolean | undefined
  /** Makes the token: 16 to 200 characters that cannot be guessed; default: 32 random characters */
  generateToken?: z.input<DeclaredConfig['oneTimeToken']['shape']['generateToken']> | undefined
}

interface ApiKeyOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Who owns the keys: `user`, or `organization`, whose members manage them with the permission `apiKey`
   * @default 'user'
   */
  references?: 'user' | 'organization' | undefined
  /**
   * Header of requests with the key, or a list: the first one that is present
   * @default 'x-api-key'
   */
  apiKeyHeaders?: string | Array<string> | undefined
  /** Function that returns the key of a request, or null; in place of `apiKeyHeaders` */
  customAPIKeyGetter?: z.input<DeclaredConfig['apiKey']['shape']['customAPIKeyGetter']> | undefined
  /**
   * Characters of a key without its prefix. Integer 32 to 255
   * @default 64
   */
  defaultKeyLength?: number | undefined
  /** Start of every key that is created without a prefix, such as `acme_` */
  defaultPrefix?: string | undefined
  /**
   * Minimum length of a prefix. Integer from 1
   * @default 1
   */
  minimumPrefixLength?: number | undefined
  /**
   * Maximum length of a prefix. Integer 1 to 64
   * @default 32
   */
  maximumPrefixLength?: number | undefined
  /**
   * Minimum length of a name. Integer from 1
   * @default 1
   */
  minimumNameLength?: number | undefined
  /**
   * Maximum length of a name. Integer 1 to 255
   * @default 32
   */
  maximumNameLength?: number | undefined
  /**
   * Reject keys that are created without a name
   * @default false
   */
  requireName?: boolean | undefined
  /**
   * `add`: new keys end with a checksum, by which secret scanners recognize them; `require`: keys without a valid one are rejected without a query
   * @default 'none'
   */
  checksum?: 'none' | 'add' | 'require' | undefined
  /** Function that returns a new key with at least `length` characters */
  customKeyGenerator?: z.input<DeclaredConfig['apiKey']['shape']['customKeyGenerator']> | undefined
  /** Function that returns false for a text that cannot be a key; it is then not looked up */
  customAPIKeyValidator?: z.input<DeclaredConfig['apiKey']['shape']['customAPIKeyValidator']> | undefined
  /**
   * Let keys be created with metadata
   * @default false
   */
  enableMetadata?: boolean | undefined
  /**
   * Only verify keys for servers of yours; requests with a key are not those of its owner
   * @default false
   */
  disableSessionForAPIKeys?: boolean | undefined
  /** The start of each key, which is stored so that its owner recognizes it. */
  startingCharactersConfig?: ApiKeyStartingCharactersConfigOptions | undefined
  /** Default rate limit of each key. */
  rateLimit?: ApiKeyRateLimitOptions | undefined
  /** Expiration of keys. */
  keyExpiration?: ApiKeyKeyExpirationOptions | undefined
  /** What keys permit in your application. */
  permissions?: ApiKeyPermissionsOptions | undefined
  /** Further sets of keys, such as those of organizations: each with `configId` and its own options of this section, from `references` to `permissions` */
  configurations?: Array<{
    /** Name of the set, which clients send as `configId` */
    configId: string
    /**
     * Who owns the keys: `user`, or `organization`, whose members manage them with the permission `apiKey`
     * @default 'user'
     */
    references?: 'user' | 'organization' | undefined
    /**
     * Header of requests with the key, or a list: the first one that is present
     * @default 'x-api-key'
     */
    apiKeyHeaders?: string | Array<string> | undefined
    /** Function that returns the key of a request, or null; in place of `apiKeyHeaders` */
    customAPIKeyGetter?: NonNullable<NonNullable<z.input<DeclaredConfig['apiKey']['shape']['configurations']>>[number]>['customAPIKeyGetter'] | undefined
    /**
     * Characters of a key without its prefix. Integer 32 to 255
     * @default 64
     */
    defaultKeyLength?: number | undefined
    /** Start of every key that is created without a prefix, such as `acme_` */
    defaultPrefix?: string | undefined
    /**
     * Minimum length of a prefix. Integer from 1
     * @default 1
     */
    minimumPrefixLength?: number | undefined
    /**
     * Maximum length of a prefix. Integer 1 to 64
     * @default 32
     */
    maximumPrefixLength?: number | undefined
    /**
     * Minimum length of a name. Integer from 1
     * @default 1
     */
    minimumNameLength?: number | undefined
    /**
     * Maximum length of a name. Integer 1 to 255
     * @default 32
     */
    maximumNameLength?: number | undefined
    /**
     * Reject keys that are created without a name
     * @default false
     */
    requireName?: boolean | undefined
    /**
     * `add`: new keys end with a checksum, by which secret scanners recognize them; `require`: keys without a valid one are rejected without a query
     * @default 'none'
     */
    checksum?: 'none' | 'add' | 'require' | undefined
    /** Function that returns a new key with at least `length` characters */
    customKeyGenerator?: NonNullable<NonNullable<z.input<DeclaredConfig['apiKey']['shape']['configurations']>>[number]>['customKeyGenerator'] | undefined
    /** Function that returns false for a text that cannot be a key; it is then not looked up */
    customAPIKeyValidator?: NonNullable<NonNullable<z.input<DeclaredConfig['apiKey']['shape']['configurations']>>[number]>['customAPIKeyValidator'] | undefined
    /**
     * Let keys be created with metadata
     * @default false
     */
    enableMetadata?: boolean | undefined
    /**
     * Only verify keys for servers of yours; requests with a key are not those of its owner
     * @default false
     */
    disableSessionForAPIKeys?: boolean | undefined
    /** The start of each key, which is stored so that its owner recognizes it */
    startingCharactersConfig?: {
      /**
       * Store the start of keys
       * @default true
       */
      shouldStore?: boolean | undefined
      /**
       * Characters of the start, including the prefix. Integer 1 to 64
       * @default 6
       */
      charactersLength?: number | undefined
    } | undefined
    /** Default rate limit of each key */
    rateLimit?: {
      /**
       * Limit the uses of keys; `false`: also of keys that have a limit of their own
       * @default true
       */
      enabled?: boolean | undefined
      /**
       * Length of the window in milliseconds. Integer 1 to 3155760000000
       * @default 86400000
       */
      timeWindow?: number | undefined
      /**
       * Uses of a key in the window. Integer 1 to 2147483647
       * @default 10
       */
      maxRequests?: number | undefined
    } | undefined
    /** Expiration of keys */
    keyExpiration?: {
      /**
       * Lifetime in seconds of a key that is created without one; null: it does not expire
       * @default null
       */
      defaultExpiresIn?: number | null | undefined
      /**
       * Reject an `expiresIn` of users
       * @default false
       */
      disableCustomExpiresTime?: boolean | undefined
      /**
       * Shortest `expiresIn`, in days. 0 to 36500
       * @default 1
       */
      minExpiresIn?: number | undefined
      /**
       * Longest `expiresIn`, in days. 1 to 36500
       * @default 365
       */
      maxExpiresIn?: number | undefined
    } | undefined
    /** What keys permit in your application */
    permissions?: {
      /** Actions by resource of keys that are created without permissions, or a function that returns them for the ID of the owner */
      defaultPermissions?: Record<string, Array<string>> | Extract<NonNullable<NonNullable<NonNullable<z.input<DeclaredConfig['apiKey']['shape']['configurations']>>[number]>['permissions']>['defaultPermissions'], (...given: never) => unknown> | undefined
    } | undefined
  }> | undefined
  /**
   * Keep the keys of a user whose password is set without the former one: by a reset link or code, an administrator or an operator; a thief may have created one
   * @default false
   */
  keepOnPasswordReset?: boolean | undefined
  /**
   * Return `{ apiKeys, total }` from `GET /api-key/list`, as clients of 1.5 and later expect, instead of the list of 1.2.12; keys then have `configId` and `referenceId`
   * @default false
   */
  listAsObject?: boolean | undefined
  /**
   * Maximum number of keys of a user, of all sets. Integer 1 to 10000
   * @default 100
   */
  maximumKeysPerUser?: number | undefined
  /**
   * Maximum number of keys of an organization, of all sets. Integer 1 to 10000
   * @default 100
   */
  maximumKeysPerOrganization?: number | undefined
  /** Function that sends the notice of an API key that a user created, to their verified email address; `false` disables it. Default: the built-in email, if mail is configured */
  sendApiKeyCreated?: boolean | Extract<z.input<DeclaredConfig['apiKey']['shape']['sendApiKeyCreated']>, (...given: never) => unknown> | undefined
}

interface ApiKeyStartingCharactersConfigOptions {
  /**
   * Store the start of keys
   * @default true
   */
  shouldStore?: boolean | undefined
  /**
   * Characters of the start, including the prefix. Integer 1 to 64
   * @default 6
   */
  charactersLength?: number | undefined
}

interface ApiKeyRateLimitOptions {
  /**
   * Limit the uses of keys; `false`: also of keys that have a limit of their own
   * @default true
   */
  enabled?: boolean | undefined
  /**
   * Length of the window in milliseconds. Integer 1 to 3155760000000
   * @default 86400000
   */
  timeWindow?: number | undefined
  /**
   * Uses of a key in the window. Integer 1 to 2147483647
   * @default 10
   */
  maxRequests?: number | undefined
}

interface ApiKeyKeyExpirationOptions {
  /**
   * Lifetime in seconds of a key that is created without one; null: it does not expire
   * @default null
   */
  defaultExpiresIn?: number | null | undefined
  /**
   * Reject an `expiresIn` of users
   * @default false
   */
  disableCustomExpiresTime?: boolean | undefined
  /**
   * Shortest `expiresIn`, in days. 0 to 36500
   * @default 1
   */
  minExpiresIn?: number | undefined
  /**
   * Longest `expiresIn`, in days. 1 to 36500
   * @default 365
   */
  maxExpiresIn?: number | undefined
}

interface ApiKeyPermissionsOptions {
  /** Actions by resource of keys that are created without permissions, or a function that returns them for the ID of the owner */
  defaultPermissions?: Record<string, Array<string>> | Extract<z.input<DeclaredConfig['apiKey']['shape']['permissions']['shape']['defaultPermissions']>, (...given: never) => unknown> | undefined
}

interface MoveOptions {
  /**
   * Send a setup link when a sign-in with the email address of a user who was moved without a password fails; at most once a day
   * @default false
   */
  sendSetupLinkOnSignIn?: boolean | undefined
  /**
   * Answer 503 until a move is final; `latchkey start --wait-for-move` sets it
   * @default false
   */
  wait?: boolean | undefined
  /**
   * Keep the way back to better-auth open, for days: new passwords, API keys and sessions are stored so that it understands them. A changed value needs a migration
   * @default false
   */
  trial?: boolean | undefined
}

interface TermsOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Versions of documents. Of several with one id, the one with the latest requiredFrom that has passed is in force; keep the others, so that their texts can be read */
  documents?: Array<{
    /** Stays the same over all versions, such as `privacy` */
    id: string
    /** Such as `2027-01` or `3` */
    version: string
    /** A text, or one per language; default: the id */
    title?: string | Record<string, string> | undefined
    /** Page with the text; it must not change */
    url?: string | undefined
    /** Text, Markdown or HTML file (`.txt`, `.md`, `.html`) of at most 512 KiB, relative to the project folder, instead of url */
    file?: string | undefined
    /** SHA-256 of the text at url, in hexadecimal digits; of a file it is computed */
    hash?: string | undefined
    /** What is new in this version, for users who accepted another one */
    changes?: string | Record<string, string> | undefined
    /** From when sign-ins ask for it, such as `2027-01-31`; default: now */
    requiredFrom?: string | string | undefined
    /**
     * Days after requiredFrom in which users who signed up before may postpone it. Integer 0 to 365
     * @default 0
     */
    postponeDays?: number | undefined
  }> | undefined
  /**
   * How the hosted sign-up page asks: by a checkbox, or by a sentence above the button
   * @default 'checkbox'
   */
  atSignUp?: 'checkbox' | 'sentence' | undefined
  /** Page of the application on which users accept; default: the hosted page */
  pageURL?: string | undefined
  /**
   * Seconds for which a sign-in waits for the answer. Integer 300 to 3600
   * @default 1800
   */
  pendingMaxAge?: number | undefined
  /**
   * What remains of the acceptances of a deleted user: `keep-proof`: document, version, hash and time, with a keyed hash in place of the user; `delete`: nothing
   * @default 'keep-proof'
   */
  erasure?: 'keep-proof' | 'delete' | undefined
}

interface CaptchaOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Captcha provider; required */
  provider?: 'cloudflare-turnstile' | 'google-recaptcha' | 'hcaptcha' | undefined
  /** Secret key from the provider; required */
  secretKey?: string | undefined
  /**
   * Paths to protect: every POST to a call whose path contains one of them
   * @default ["/sign-up/email","/sign-in/email","/forget-password","/request-password-reset"]
   */
  endpoints?: Array<string> | undefined
  /** URL that verifies captcha responses; default: the provider’s */
  siteVerifyURLOverride?: string | undefined
  /**
   * Minimum score to pass, for reCAPTCHA v3. 0 to 1
   * @default 0.5
   */
  minScore?: number | undefined
  /**
   * Kind of the reCAPTCHA site key, for the hosted forms: v2 shows a checkbox, v3 returns a score
   * @default 'v2'
   */
  recaptchaVersion?: 'v2' | 'v3' | undefined
  /** Public site key from the provider; required while the hosted pages are enabled. hCaptcha rejects captcha responses for other site keys */
  siteKey?: string | undefined
}

interface SecurityTxtOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /** Where to report, the preferred one first: `mailto:security@example.com`, `https:` or `tel:`; required */
  contact?: Array<string> | undefined
  /** When the document is out of date, within a year, such as `2027-06-01T00:00:00Z`; required */
  expires?: string | undefined
  /** Where the keys for encrypted reports are */
  encryption?: Array<string> | undefined
  /** Pages that thank those who reported */
  acknowledgments?: Array<string> | undefined
  /** Languages of reports */
  preferredLanguages?: Array<string> | undefined
  /** Where this document is served; default: below the origin of `baseURL` */
  canonical?: Array<string> | undefined
  /** Pages about what may be tested and reported */
  policy?: Array<string> | undefined
  /** Pages about open positions */
  hiring?: Array<string> | undefined
}

interface OpenAPIOptions {
  /**
   * Disable this section with `false`, and keep its options
   * @default true
   */
  enabled?: boolean
  /**
   * Serve the OpenAPI document without the reference page
   * @default false
   */
  disableDefaultReference?: boolean | undefined
}
