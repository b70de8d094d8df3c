/** Sign-in with a username, for the form whose field has an email address or a username. */
import type { Call } from '../../../../src/client.ts'
import { checkCallback, leave } from '../../frame/continue.tsx'

interface Values {
  /** The username. */
  readonly email: string
  readonly password: string
  readonly rememberMe: boolean
}

/** @throws ClientError that of the call; INVALID_CALLBACKURL before it */
export async function signInByUsername(
  send: Call,
  { email: username, password, rememberMe }: Values,
  callbackURL: string | undefined,
): Promise<void> {
  await checkCallback(callbackURL)
  await send('POST /sign-in/username', { body: { username, password, rememberMe } })
  await leave(callbackURL)
}
