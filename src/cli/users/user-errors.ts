/** Errors of the API for values that a command was given: with the value, and what to do. */
import type { App } from '../../core/app.ts'
import { Failure } from '../../project/failure.ts'

export interface GivenValues {
  readonly email?: string | undefined
  readonly username?: string | undefined
  readonly phone?: string | undefined
}

interface Explanation {
  /** Never a password. */
  readonly value?: string | undefined
  readonly hint: string
}

/** @throws Failure for an error of the API; anything else unchanged */
export async function explained<T>(app: App, given: GivenValues, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { ApiError } = await import('../../core/errors.ts')
    const { printable } = await import('../../lib/redact.ts')
    if (!(error instanceof ApiError)) throw error
    const { code, message } = error.entry
    const { value, hint } = explain(app, given, code) ?? {}
    const shown = value === undefined ? message : `${message.replace(/\.$/, '')}: ${value}`
    throw new Failure(code, printable(shown), { hint, cause: error })
  }
}

function explain({ config }: App, { email, username, phone }: GivenValues, code: string): Explanation | undefined {
  const { minPasswordLength, maxPasswordLength } = config.emailAndPassword
  const { minUsernameLength, maxUsernameLength } = config.username
  const explanations: Readonly<Record<string, Explanation>> = {
    USER_ALREADY_EXISTS: { value: email, hint: `Show the user: \`latchkey users show ${email ?? '<email address>'}\`` },
    SIGN_UP_NOT_ALLOWED: {
      value: email,
      hint: `Explain it: \`latchkey sign-up check ${email ?? '<email address>'}\`. Create the user nevertheless with --override-sign-up-policy.`,
    },
    USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: { value: username, hint: 'Choose another --username.' },
    USERNAME_IS_TOO_SHORT: {
      value: username,
      hint: `It needs at least ${minUsernameLength} characters (username.minUsernameLength).`,
    },
    USERNAME_IS_TOO_LONG: {
      value: username,
      hint: `It may have at most ${maxUsernameLength} characters (username.maxUsernameLength).`,
    },
    PHONE_NUMBER_ALREADY_EXISTS: { value: phone, hint: `Find the user: \`latchkey users list --search ${phone ?? '<number>'}\`` },
    INVALID_PHONE_NUMBER: { value: phone, hint: 'Write it with its country code, such as +491701234567.' },
    PASSWORD_TOO_SHORT: { hint: `It needs at least ${minPasswordLength} characters (emailAndPassword.minPasswordLength).` },
    PASSWORD_TOO_LONG: { hint: `It may have at most ${maxPasswordLength} characters (emailAndPassword.maxPasswordLength).` },
    PASSWORD_COMPROMISED: { hint: 'It is in a list of passwords that attackers try first. Generate one: `latchkey secret`' },
    PASSWORD_TOO_PERSONAL: { hint: 'Choose words that are neither about the user nor about the application.' },
  }
  return explanations[code]
}
