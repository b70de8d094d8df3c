/** The title of the page, for the navigation. */
export const messages = { explain: 'Why refused?' } as const
