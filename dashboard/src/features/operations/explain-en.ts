/** Texts of the page that explains refusals. */
import type { Format } from '../../i18n/format.ts'

export interface Values {
  readonly [name: string]: string | number
}

export const messages = {
  lead: 'Paste a request ID, an email address, an IP address or an error code to see what was rejected, why, and which option decides.',
  subject: 'What to explain',
  subjectHint: 'Error pages and responses show the request ID.',
  explainAction: 'Explain',
  now: 'Now',
  blocked: 'Blocked',
  note: 'Note',
  refusals: 'Rejected',
  refusalsLead: 'Newest first, from the audit log.',
  noRefusals: 'No refusal is recorded.',
  olderOnes: 'There may be older ones in the audit log.',
  time: 'Time',
  what: 'What',
  from: 'From',
  requestId: 'Request ID',
  times: ({ count }: { readonly count: number }, { plural }: Format) => plural(count, { one: '# time', other: '# times' }),
  codes: 'Codes and fixes',
  meaning: 'Meaning',
  fix: 'Fix',
  ofCommands: 'Command line',
  options: 'Options',
  isDefault: 'default',
  placeOf: ({ file, line }: { readonly file: string; readonly line: number }) => `${file}, line ${line}`,
  openUser: 'Open the user',
  signIn: 'Next sign-in',
  signInLead: 'What a sign-in would decide now.',
  userNotFound: 'No user has this email address or ID. It may be mistyped, or the user was deleted.',
  userFound: ({ created }: Values) => `The user was created on ${created}.`,
  banned: ({ until }: Values) => `The user is banned until ${until}.`,
  accountLocked: ({ since }: { readonly since: string }) => `The account is locked since ${since}.`,
  signInFrozen: ({ since }: { readonly since: string }) => `An operator has frozen sign-in since ${since}.`,
  signUpFrozen: ({ since }: { readonly since: string }) => `An operator has frozen sign-up since ${since}.`,
  writesFrozen: ({ since }: { readonly since: string }) => `An operator has frozen all changes since ${since}.`,
  signUpRejected: ({ reason }: { readonly reason: string }) =>
    `The sign-up policy rejects a new user with this address: ${reason}.`,
  bannedForever: 'The user is banned until an administrator lifts the ban.',
  emailUnverified: 'The email address is not verified, and sign-in requires it.',
  lockout: ({ wait, failures }: Values) => `Sign-in is locked for ${wait} s, after ${failures} consecutive failures.`,
  factorLockout: ({ wait, failures }: Values) =>
    `Codes of the second factor are locked for ${wait} s, after ${failures} wrong ones.`,
  factorSuspended: 'Codes of the second factor are off, after 100 wrong ones. Reset the factors of the user.',
  codeLockout: ({ wait, failures }: Values) => `Codes by email are locked for ${wait} s, after ${failures} wrong ones.`,
  mailLimit: ({ wait }: Values) => `No codes and links are sent to this address for ${wait} s.`,
  rateLimit: ({ call, wait, count, max, window }: Values) =>
    `${call} is limited for ${wait} s: ${count} of ${max} requests in ${window} s.`,
  limitsOff: 'Rate limits are off.',
  limitsUnseen: 'The counters of rate limits are in the memory of daemons, and none is visible here.',
  privateAddress: 'This is an address of a private network, probably of your proxy. Set server.trustedProxies to its network.',
  notStored: 'IP addresses are not stored, so that refusals cannot be found by them.',
  nothingRecorded:
    'No refusal is recorded for this request. It succeeded, its input was invalid, or the event was deleted. Look for the ID in the log.',
  requestTime: ({ time }: Values) => `The request came on ${time}.`,
  codeUnknown: 'No call, redirect or command has this code. Functions of the configuration may have codes of their own.',
} as const
