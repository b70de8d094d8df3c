import { createAuthClient } from 'better-auth/client'
import { adminClient } from 'better-auth/client/plugins'

export const authClient = createAuthClient({
  baseURL: 'http://localhost:4000',
  plugins: [adminClient()],
})

/** Bans a user for a week, and signs them out. */
export async function banForAWeek(email, banReason) {
  const { data, error } = await authClient.admin.listUsers({
    query: { filterField: 'email', filterOperator: 'eq', filterValue: email },
  })
  if (error) throw new Error(error.message)
  const [user] = data.users
  if (!user) throw new Error(`There is no user ${email}`)
  const banned = await authClient.admin.banUser({ userId: user.id, banReason, banExpiresIn: 7 * 24 * 60 * 60 })
  if (banned.error) throw new Error(banned.error.message)
  return banned.data.user
}
