export interface Named {
  readonly name: string
}

export const messages = {
  username: 'Username',
  usernameHint: ({ min, max }: { readonly min: number; readonly max: number }) => `${min} to ${max} characters.`,
  checkingUsername: 'Checking whether the username is available',
  usernameIsFree: ({ name }: Named) => `${name} is available.`,
  usernameIsTaken: ({ name }: Named) => `${name} is taken. Choose another username.`,
} as const
