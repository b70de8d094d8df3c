import { createAuthClient } from 'better-auth/client'
import { organizationClient } from 'better-auth/client/plugins'

export const authClient = createAuthClient({
  baseURL: 'http://localhost:4000',
  plugins: [organizationClient()],
})

/** Creates an organization, which becomes the active one, and invites a first administrator. */
export async function createWithAdmin(name, slug, email) {
  const { data: organization, error } = await authClient.organization.create({ name, slug })
  if (error) throw new Error(error.message)
  const invited = await authClient.organization.inviteMember({ email, role: 'admin' })
  if (invited.error) throw new Error(invited.error.message)
  return organization.id
}
