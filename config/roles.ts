/** The permissions of each role; `latchkey seed` writes them to the database. */
export const roles = {
  admin: {
    user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'],
    session: ['list', 'revoke', 'delete'],
  },
  support: {
    user: ['list'],
    session: ['list', 'revoke'],
  },
}
