/** The options that are functions, in the names of `@better-auth/passkey` 1.7, and the WebAuthn extensions next to them. */
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { type ConfigIssue, callback, group } from '../../core/config.ts'
import { fitsAsJSONBytes } from '../../lib/objects.ts'
import type { Config } from '../index.ts'

const challengeCookie = 'better-auth-passkey'

type MaybeAsync<T> = T | Promise<T>

/** A call as these functions get it. */
export interface PasskeyCall {
  readonly method: string
  /** Below the base path: `/passkey/verify-registration`. */
  readonly path: string
  readonly headers: Pick<Headers, 'get'>
  readonly query: Readonly<Record<string, string>>
  /** IP address of the client; empty when IP tracking is disabled. */
  readonly address: string
  readonly requestId: string
}

/** Whose passkey is registered. The names are those that the browser shows. */
export interface RegistrationUser {
  readonly id: string
  readonly name: string
  readonly displayName?: string | undefined
}

export interface RegistrationVerification {
  readonly ctx: PasskeyCall
  readonly verification: VerifiedRegistrationResponse
  readonly user: RegistrationUser
  /** As the browser sent it. */
  readonly clientData: RegistrationResponseJSON
  /** With which the options were requested. */
  readonly context: string | null
}

export interface AuthenticationVerification {
  readonly ctx: PasskeyCall
  readonly verification: VerifiedAuthenticationResponse
  readonly clientData: AuthenticationResponseJSON
}

export const resolvedUser = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,36}$/),
  name: z.string().min(1).max(255),
  displayName: z.string().max(255).optional(),
})

/** Who registers a passkey without a session, as the function says, and with what it was asked. */
export interface ResolvedUser extends RegistrationUser {
  readonly context: string | null
  /** For authenticators, of a user who does not exist yet: the function may name all of them alike. */
  readonly handle?: string | undefined
}

/** As much as all members of such a request may have. */
export const fitsAsExtensions = (value: unknown): boolean => fitsAsJSONBytes(value, 8192, 8)

const extensions = (ceremony: string) =>
  z
    .union([
      callback<(call: { readonly ctx: PasskeyCall }) => MaybeAsync<object | undefined>>(),
      z.record(z.string(), z.unknown()).refine(fitsAsExtensions, 'Expected at most 8192 bytes of JSON'),
    ])
    .optional()
    .describe(`WebAuthn extensions in the options ${ceremony}: an object, or a function that returns one`)

export const functionOptions = {
  registration: group('Functions that decide about new passkeys', {
    requireSession: z
      .boolean()
      .default(true)
      .describe('Reject registrations without a session; `false`: `resolveUser` says whose passkey it becomes'),
    resolveUser: callback<
      (call: { readonly ctx: PasskeyCall; readonly context: string | null }) => MaybeAsync<RegistrationUser | null | undefined>
    >()
      .optional()
      .describe('Function that returns the user who registers a passkey without a session, or null; it must verify `context`'),
    afterVerification: callback<
      // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing accepts the passkey
      (call: RegistrationVerification) => MaybeAsync<{ readonly userId?: string; readonly name?: string } | void>
    >()
      .optional()
      .describe('Called with a verified passkey before it is stored; may name it, or reject it by an error'),
    extensions: extensions('to add a passkey'),
  }),
  authentication: group('Functions that decide about sign-ins with a passkey', {
    afterVerification: callback<(call: AuthenticationVerification) => unknown>()
      .optional()
      .describe('Called with a verified signature before it is used; may reject it by an error'),
    extensions: extensions('to use a passkey'),
  }),
  advanced: group('Advanced options of passkeys', {
    webAuthnChallengeCookie: z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]{1,64}$/, 'Expected the name of a cookie')
      .default(challengeCookie)
      .describe('Name of the cookie of a challenge, after `advanced.cookiePrefix` and a dot'),
  }),
}

/** Options that would do nothing, and names of one cookie in two places. */
export function checkFunctions({ passkey, advanced }: Config): ConfigIssue[] {
  const { requireSession, resolveUser } = passkey.registration
  const issues: ConfigIssue[] = []
  if (requireSession !== (resolveUser === undefined))
    issues.push({
      id: 'passkey-resolve-user',
      path: `passkey.registration.${requireSession ? 'requireSession' : 'resolveUser'}`,
      message: requireSession
        ? 'resolveUser is called for registrations without a session only.'
        : 'Nothing says whose passkey is registered without a session.',
      hint: 'Set requireSession: false and resolveUser, or neither.',
    })
  if (passkey.advanced.webAuthnChallengeCookie !== challengeCookie && advanced.cookies[challengeCookie].name !== undefined)
    issues.push({
      id: 'passkey-cookie-name',
      path: 'passkey.advanced.webAuthnChallengeCookie',
      message: 'advanced.cookies.better-auth-passkey.name names the same cookie.',
      hint: 'Set one of them.',
    })
  return issues
}
