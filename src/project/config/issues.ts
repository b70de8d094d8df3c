/** Explains what is wrong in a configuration: the path of each error, and what to write instead. */
import { z } from 'zod'
import type { ConfigIssue, ConfigShape } from '../../core/config.ts'
import { plainMessage, suggest } from '../../lib/input-errors.ts'

/** Hints for options of better-auth that have another name here, or do not exist. */
const elsewhere: Readonly<Record<string, string>> = {
  plugins:
    'Enable features by their sections, such as `openAPI: true`, instead of plugins; `genericOAuth({ config })` becomes `genericOAuth: { config: [ … ] }`.',
  authorizationUrl: 'In `socialProviders`, write `authorizationEndpoint`.',
  tokenUrl: 'In `socialProviders`, write `tokenEndpoint`.',
  userInfoUrl: 'In `socialProviders`, write `userInfoEndpoint`.',
  authorizationEndpoint: 'In `genericOAuth`, write `authorizationUrl`.',
  tokenEndpoint: 'In `genericOAuth`, write `tokenUrl`.',
  userInfoEndpoint: 'In `genericOAuth`, write `userInfoUrl`.',
  secondaryStorage: 'Write `redis: { url: … }`.',
  adapter: 'Write `database: { url: … }`.',
  logger: 'Write `log: { level: … }`.',
  telemetry: 'Latchkey sends no telemetry. Remove this option.',
  generateId: 'Write `advanced: { database: { generateId } }`.',
  useNumberId: 'IDs are strings. Set `advanced.database.generateId` to generate your own.',
  defaultFindManyLimit: 'Lists are never truncated. Remove this option.',
  storeSessionInDatabase: 'Sessions are always stored in the database. Remove this option.',
  preserveSessionInDatabase: 'A revoked session is always deleted from the database. Remove this option.',
  cors: 'Origins that may call the API from a browser are listed in `trustedOrigins`.',
  csrf: 'Requests are checked by their origin. List yours in `trustedOrigins`.',
}

/** The same, only at the top of the configuration. */
const elsewhereAtTop: Readonly<Record<string, string>> = {
  cookies: 'Write `advanced: { cookies: { … } }`.',
  port: 'Write `server: { port: … }`.',
  host: 'Write `server: { host: … }`.',
  smtp: 'Write `mail: { smtp: … }`.',
  email: 'Write `mail: { … }` for sending, `emailAndPassword` and `emailVerification` for accounts.',
  providers: 'Write `socialProviders: { … }`.',
  roles: 'Write `admin: { roles: … }` for administrators, `organization: { roles: … }` for members.',
  organizations: 'Write `organization: { … }`.',
  teams: 'Write `organization: { teams: … }`.',
  mfa: 'Write `twoFactor: { … }`.',
  totp: 'Write `twoFactor: { totpOptions: … }`.',
  otp: 'Write `twoFactor: { otpOptions: … }`.',
  passkeys: 'Write `passkey: { … }`.',
  webauthn: 'Write `passkey: { … }`.',
  emailOtp: 'Write `emailOTP: { … }`.',
  ...notAvailable('Google One Tap', 'oneTap'),
  ...notAvailable('An OAuth 2 or OpenID provider of your own', 'oidcProvider oauthProvider oidc mcp deviceAuthorization'),
  ...notAvailable('Single sign-on of organizations', 'sso saml ldap'),
  ...notAvailable('Provisioning of users by SCIM', 'scim'),
  ...notAvailable('Webhooks', 'webhook webhooks'),
}

/** Features that applications of better-auth, or of other products, may expect. */
function notAvailable(feature: string, names: string): Record<string, string> {
  const hint = `${feature}: not available yet. Remove this option.`
  return Object.fromEntries(names.split(' ').map((name) => [name, hint]))
}

/** @returns the issues to show for an issue of the schema */
export function issuesOf(issue: z.core.$ZodIssue, shape: ConfigShape): ConfigIssue[] {
  const path = issue.path.join('.')
  if (issue.code === 'invalid_union') return unionIssues(issue, shape)
  if (issue.code !== 'unrecognized_keys') {
    const message = plainMessage(issue.message)
    const hint = message.endsWith('object, received array') ? { hint: listHint(path) } : {}
    return [{ id: 'config-value', path: path || '(root)', message, ...hint }]
  }
  const known = optionsAt(shape, issue.path.map(String))
  return issue.keys.map((key) => ({
    id: 'config-unknown-option',
    path: path ? `${path}.${key}` : key,
    message: 'Unknown option.',
    ...hintOf(path, key, known),
  }))
}

/** Of an option that has several types: what is wrong within the one that was meant, else all of them. */
function unionIssues({ path, errors }: z.core.$ZodIssueInvalidUnion, shape: ConfigShape): ConfigIssue[] {
  const within = errors.find((branch) => branch.some((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'))
  if (within) return within.flatMap((issue) => issuesOf({ ...issue, path: [...path, ...issue.path] }, shape))
  const expected = errors.flatMap(([first]) =>
    first
      ? [
          plainMessage(first.message)
            .replace(/^Expected /, '')
            .replace(/, received .*$/, ''),
        ]
      : [],
  )
  const at = path.join('.')
  const hint = at === 'trustedOrigins' ? { hint: "Write `trustedOrigins: ['https://app.example.com']`." } : {}
  return [{ id: 'config-value', path: at || '(root)', message: `Expected ${[...new Set(expected)].join(' or ')}`, ...hint }]
}

const listHint = (path: string): string =>
  path === 'genericOAuth' ? 'Write `genericOAuth: { config: [ … ] }`.' : `Write \`${path}: { … }\`.`

function hintOf(path: string, key: string, known: readonly string[]): Pick<ConfigIssue, 'hint'> {
  const moved = elsewhere[key] ?? (path === '' ? elsewhereAtTop[key] : undefined)
  const hint = moved && !known.includes(key) ? { hint: moved } : suggest(key, known)
  if (hint.hint || path !== 'socialProviders') return hint
  return { hint: `It is not built in. Write \`genericOAuth: { config: [{ providerId: '${key}', … }] }\`.` }
}

function optionsAt(shape: ConfigShape, path: readonly string[]): string[] {
  let current = shape
  let isSection = false
  for (const [depth, name] of path.entries()) {
    const next = current[name]
    if (!next) return []
    if (!('kind' in next)) return membersAt(next, path.slice(depth + 1))
    current = next.shape
    isSection = next.mode !== 'always'
  }
  return isSection ? ['enabled', ...Object.keys(current)] : Object.keys(current)
}

/** Of an object inside an option, such as an element of a list. */
function membersAt(schema: unknown, path: readonly string[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return membersAt(schema.unwrap(), path)
  const [name, ...rest] = path
  if (schema instanceof z.ZodObject) return name === undefined ? Object.keys(schema.shape) : membersAt(schema.shape[name], rest)
  return schema instanceof z.ZodArray && name !== undefined ? membersAt(schema.element, rest) : []
}
