/** The passkeys of the current user as data. */
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../../api/calls.ts'
import { call } from '../../session/session.ts'

const readPasskeys = () => call('GET /passkey/list-user-passkeys', {})
export type Passkey = Awaited<ReturnType<typeof readPasskeys>>[number]
export const passkeysQuery = queryOptions({ queryKey: ['passkeys'], queryFn: readPasskeys })

/** After a change: also what password managers know, and what else depends on the passkeys. */
export async function refreshPasskeys(): Promise<void> {
  await queryClient.invalidateQueries()
  const { reportAccount } = await import('../../browser/passkeys.ts')
  await reportAccount(() => call('GET /passkey/signal', {}))
}

/** @param only this passkey of the user; otherwise any @returns what the API responds with, or why there is nothing to send */
export async function provePasskey(only?: Passkey): Promise<object | string> {
  const options = await send('GET /passkey/generate-authenticate-options', {})
  const { reportUnknown, signWithPasskey } = await import('../../browser/passkeys.ts')
  const allowCredentials = options.allowCredentials?.filter(({ id }) => !only || id === only.credentialID)
  const signed = await signWithPasskey({ ...options, allowCredentials })
  if (typeof signed === 'string') return signed
  return send('POST /passkey/verify-authentication', { body: { response: { ...signed } } }).catch(async (error: unknown) => {
    if (Object(error).code === 'PASSKEY_NOT_FOUND') await reportUnknown(options, signed)
    throw error
  })
}
