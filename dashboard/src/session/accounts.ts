/** The sign-in methods of the current user. */
import { queryOptions } from '@tanstack/react-query'
import { call } from './session.ts'

const listAccounts = () => call('GET /list-accounts', {})
export type Account = Awaited<ReturnType<typeof listAccounts>>[number]

export const accountsQuery = queryOptions({ queryKey: ['accounts'], queryFn: listAccounts })

export const isPassword = ({ providerId }: Account): boolean => providerId === 'credential'
export const hasPassword = (accounts: readonly Account[]): boolean => accounts.some(isPassword)
