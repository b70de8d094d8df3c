/** The roles of the installation. */
import { queryOptions } from '@tanstack/react-query'
import { call } from './session.ts'

const listRoles = () => call('GET /admin/list-roles', {})
export const rolesQuery = queryOptions({ queryKey: ['admin-roles'], queryFn: listRoles, staleTime: 60_000 })
export type Role = Awaited<ReturnType<typeof listRoles>>['roles'][number]
