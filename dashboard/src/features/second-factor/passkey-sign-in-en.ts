export interface Domain {
  readonly domain: string
}

export const messages = {
  signInWithPasskey: 'Sign in with a passkey',
  withPasskey: 'with your passkey',
  confirmWithPasskey: 'Use your passkey',
  passkeyLead: 'Use your passkey. Your device asks for your fingerprint, your face or its PIN.',
  cancelled: 'No passkey was used. Try again, or choose another way.',
  wrongDomain: ({ domain }: Domain) => `Passkeys belong to ${domain}, and this browser cannot use them on this address.`,
  goToDomain: ({ domain }: Domain) => `Continue on ${domain}`,
  notPossible: 'The passkey could not be used here. Try again, or choose another way.',
} as const
