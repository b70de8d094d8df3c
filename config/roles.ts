/** Roles in addition to `admin`, which permits everything, and `user`, which permits nothing. `latchkey seed` writes them to the database. */
export const roles = {
  support: {
    user: ['list'],
    session: ['list', 'revoke'],
    event: ['list'],
  },
}
