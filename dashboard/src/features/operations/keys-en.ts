/** Texts of the signing keys. */
export interface Key {
  readonly key: string
}

export const messages = {
  lead: 'Keys that sign JSON Web Tokens. Other services fetch their public parts to verify the tokens.',
  rotate: 'Rotate key',
  rotateTitle: 'Publish a new signing key?',
  rotateText: ({ time }: { readonly time: string }) =>
    `The new key signs in ${time}, so that other services can fetch it first. Tokens of the current key stay valid.`,
  rotated: 'A new key is published.',
  rotating: 'A rotation is in progress',
  rotatingText: 'The next key is published already, so that other services know it before it signs.',
  every: ({ time }: { readonly time: string }) => `A new key replaces the current one every ${time}.`,
  manual: 'Keys are rotated only by an administrator or a command: jwt.jwks.rotationInterval is 0.',
  key: 'Key',
  status: 'Status',
  created: 'Created',
  next: 'Next',
  upcoming: 'Upcoming',
  current: 'Current',
  retired: 'Retired',
  signsFrom: 'Signs',
  rotates: 'Rotates',
  endsAt: 'Replaced',
  publishedUntil: 'Deleted',
  notPlanned: 'No rotation planned',
  unreadable: 'Its secret is not configured',
  unreadableTitle: 'A private key cannot be decrypted',
  unreadableText:
    'It was encrypted with a secret that this daemon does not have. Tokens that it signed stay valid, but it cannot sign new ones.',
  actions: ({ key }: Key) => `Actions for ${key}`,
  copyId: 'Copy ID',
  copied: 'The ID is copied.',
  retire: 'Retire key',
  retireTitle: 'Retire this signing key?',
  retireText:
    'Signing switches to another key immediately, and other services must fetch it. Tokens of this key stay valid until they expire.',
  retireUpcomingText: 'It has not signed yet, so it is deleted. The current key continues to sign.',
  retiredDone: ({ key }: Key) => `${key} is retired.`,
  remove: 'Reject its tokens',
  removeTitle: 'Reject all tokens of this key?',
  removeText:
    'The key is no longer published, and another one signs. Services reject the tokens of this key as soon as they fetch the keys again, usually within minutes. Do this when the key is compromised.',
  removeLabel: 'Remove key',
  typeStart: ({ key }: Key) => `Type ${key} to confirm`,
  removedDone: ({ key }: Key) => `${key} is no longer published.`,
  none: 'No signing key yet',
  noneText: 'The first token creates one. To list keys and secrets:',
} as const
