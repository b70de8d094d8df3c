/** Texts of the page about an incident. */
import type { Format } from '../../i18n/format.ts'
import type { Count } from './en.ts'

export interface Found {
  readonly sessions: number
  readonly users: number
}

const sessions = (count: number, { plural }: Format) => plural(count, { one: '# session', other: '# sessions' })

export const messages = {
  incident: 'Incident',
  lead: 'Freeze what is under attack, and revoke the sessions of an attacker. Both take effect on every daemon within about a second.',
  freezes: 'Freezes',
  freezesLead: 'Lift them when the incident is over.',
  'sign-up': 'Sign-up',
  'sign-upText': 'No new users. Administrators and commands still create users.',
  'sign-in': 'Sign-in',
  'sign-inText': 'No new sessions, except for administrators who may lift the freeze. Signed-in users stay signed in.',
  writes: 'Changes',
  writesText: 'Read-only mode: every call that changes something is rejected. Signed-in users stay signed in and can sign out.',
  frozen: 'Frozen',
  notFrozen: 'Not frozen',
  frozenBy: ({ time, by }: { readonly time: string; readonly by: string }) => `Since ${time}, by ${by}.`,
  unknownBy: 'a deleted user',
  until: ({ time }: { readonly time: string }) => `Until ${time}.`,
  untilLifted: 'Until it is lifted.',
  freeze: 'Freeze',
  lift: 'Lift',
  freezeNamed: ({ name }: { readonly name: string }) => `Freeze: ${name}`,
  liftNamed: ({ name }: { readonly name: string }) => `Lift: ${name}`,
  freezeQuestion: ({ name }: { readonly name: string }) => `Freeze “${name}”?`,
  reason: 'Reason',
  reasonHint: 'For the audit log and other administrators',
  duration: 'Duration',
  forever: 'Until it is lifted',
  minutes30: '30 minutes',
  hours2: '2 hours',
  hours12: '12 hours',
  lifted: ({ name }: { readonly name: string }) => `Lifted: ${name}`,
  frozenDone: ({ name }: { readonly name: string }) => `Frozen: ${name}`,

  revoke: 'Revoke sessions',
  revokeLead: 'Of the sessions that match every filter that you enter. Trust in browsers and API keys stay.',
  since: 'Signed in since',
  ip: 'IP address or network',
  ipHint: 'Such as 192.0.2.7 or 192.0.2.0/24',
  method: 'Sign-in method',
  methodHint: 'Such as password, passkey or social:github',
  organizationId: 'Organization ID',
  preview: 'Count the sessions',
  found: ({ sessions: count, users }: Found, format: Format) =>
    `${sessions(count, format)} of ${format.plural(users, { one: '# user', other: '# users' })}`,
  foundAtLeast: ({ sessions: count, users }: Found, format: Format) =>
    `At least ${sessions(count, format)} of ${format.plural(users, { one: '# user', other: '# users' })}. There are too many to count them all here.`,
  noneFound: 'No session matches.',
  revokeFound: 'Revoke them',
  revokeQuestion: 'Revoke these sessions?',
  revokeText: 'Their users must sign in again. Your own session may be among them.',
  revoking: 'The sessions are rejected from now on. Their rows are deleted in the background.',

  revocations: 'Revocations',
  noRevocations: 'There were none in the last 30 days.',
  when: 'When',
  filter: 'Filters',
  by: 'By',
  state: 'State',
  running: 'Running',
  completed: 'Completed',
  stopped: 'Stopped',
  revoked: ({ count }: Count, format: Format) => sessions(count, format),
}
