/** What Latchkey knows about the signed-in user and their active organization, for server components. */
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { baseURL } from './addresses'
import { reader } from './reader'

export interface Organization {
  readonly id: string
  readonly name: string
}

export interface Member {
  readonly id: string
  readonly role: string
  readonly user: { readonly name: string; readonly email: string }
}

/** Each page calls it: a check in `proxy.ts` alone does not protect a page. */
export async function requireUser() {
  const found = await reader.getSession(await headers())
  if (!found) redirect(reader.signInURL('/'))
  const activeId = found.session?.activeOrganizationId
  return { name: String(found.user.name), activeId: typeof activeId === 'string' ? activeId : null }
}

export const listOrganizations = (): Promise<readonly Organization[]> => read('/organization/list')

/** Latchkey responds to members only. */
export const readOrganization = (id: string): Promise<Organization & { members: readonly Member[] }> =>
  read(`/organization/get-full-organization?${new URLSearchParams({ organizationId: id })}`)

/** Whether the current user administers their active organization: Latchkey decides, with each request. */
export async function isAdministrator(): Promise<boolean> {
  const { role }: Pick<Member, 'role'> = await read('/organization/get-active-member')
  // A member has one or more roles.
  return role.split(',').some((name) => name === 'owner' || name === 'admin')
}

/** Reads as the user who sent this request. */
async function read<T>(path: string): Promise<T> {
  const cookie = (await headers()).get('cookie') ?? ''
  const response = await fetch(`${baseURL}${path}`, { headers: { cookie }, cache: 'no-store' })
  if (!response.ok) throw new Error(`Latchkey responded with status ${response.status}`)
  return response.json()
}
