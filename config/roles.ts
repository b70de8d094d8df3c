/** What each role permits; written to the database by `latchkey seed`. */
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
