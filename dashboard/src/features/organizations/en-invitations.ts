/** Texts of invitations and of the user's own organizations. */
export const messages = {} as const
