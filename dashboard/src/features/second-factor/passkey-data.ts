/** The passkeys of the current user as data. */
import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../../api/calls.ts'
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
