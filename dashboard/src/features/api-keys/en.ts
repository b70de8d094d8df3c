import type { Format } from '../../i18n/format.ts'

export interface Named {
  readonly name: string
}
export interface Count {
  readonly count: number
}

export interface RateLimit {
  readonly count: number
  /** Such as `1 day`. */
  readonly window: string
}

export const messages = {
  apiKeys: 'API keys',
  apiKeysLead: 'Let programs act as you, without your password.',
  createKey: 'Create API key',
  noKeys: 'No API keys',
  noKeysText: 'Create one for a script or another program that uses your account.',
  header: ({ header }: { readonly header: string }) => `Send the key in the header ${header}.`,
  careful: 'A program with your key can read and change your data, but not your password, email address or API keys.',
  name: 'Name',
  nameHint: 'What it is for, such as “Backup script”.',
  prefix: 'Prefix',
  prefixHint: 'The start of the key. Letters, digits, hyphens and underscores.',
  expiration: 'Expiration',
  inDays: ({ count }: Count, { plural }: Format) => plural(count, { one: 'In # day', other: 'In # days' }),
  asUsual: ({ count }: Count, { plural }: Format) => plural(count, { one: 'In # day (default)', other: 'In # days (default)' }),
  neverChoice: 'Never',
  keyColumn: 'Key',
  status: 'Status',
  statusActive: 'Active',
  statusDisabled: 'Disabled',
  statusExpired: 'Expired',
  lastUsed: 'Last used',
  notUsed: 'Never',
  expires: 'Expires',
  noExpiration: 'Never',
  created: 'Created',
  uses: 'Remaining uses',
  unlimited: 'Unlimited',
  rateLimit: ({ count, window }: RateLimit, { number }: Format) => `Limit: ${number(count)} in ${window}`,
  unnamed: 'Without a name',
  permits: ({ permissions }: { readonly permissions: string }) => `Permissions: ${permissions}`,
  newKey: 'Your new API key',
  copyNow: 'Copy the key now. It is not shown again.',
  copyKey: 'Copy the key',
  done: 'Done',
  actionsFor: ({ name }: Named) => `Actions for the API key ${name}`,
  rename: 'Rename',
  renameNamed: ({ name }: Named) => `Rename the API key ${name}`,
  renamed: ({ name }: Named) => `The API key is now named ${name}.`,
  wasCreated: ({ name }: Named) => `The API key ${name} was created.`,
  enable: 'Enable',
  disable: 'Disable',
  wasEnabled: ({ name }: Named) => `The API key ${name} was enabled.`,
  wasDisabled: ({ name }: Named) => `The API key ${name} was disabled.`,
  revoke: 'Revoke',
  revokeKey: 'Revoke API key',
  revokeQuestion: ({ name }: Named) => `Revoke the API key ${name}?`,
  revokeText: 'Programs that use it lose access immediately. This cannot be undone.',
  revoked: ({ name }: Named) => `The API key ${name} was revoked.`,
  maximum: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: 'You can have # API key.', other: 'You can have # API keys.' }),
  organizationLead: ({ name }: Named) =>
    `Let programs work for ${name}. The applications that use the keys decide what they may do.`,
  organizationNoKeysText: ({ name }: Named) => `Create one for a script or another program that works for ${name}.`,
  organizationCareful: 'The key belongs to the organization. It keeps working when you leave.',
  organizationMaximum: ({ count, name }: Count & Named, { plural }: Format) =>
    plural(count, { one: `${name} can have # API key.`, other: `${name} can have # API keys.` }),
  set: 'Set of keys',
  keysNotPermitted: 'You may not see the API keys',
  keysNotPermittedText: 'Your role does not permit it. An owner can give you another role.',
} as const
