import type { Format } from '../../i18n/format.ts'

export interface Named {
  readonly name: string
}
export interface Counted {
  readonly count: number
}

export const messages = {
  policyLabel: 'Second factor of members',
  policyHint: 'Without one, members still sign in, but cannot open this organization.',
  notRequired: 'Not required',
  requiredNow: 'Required immediately',
  requiredAfter: ({ count }: Counted, { plural }: Format) =>
    plural(count, { one: 'Required, # day to set it up', other: 'Required, # days to set it up' }),
  graceText: 'The days of each member start when they next open the organization.',
  stopsNow: ({ count }: Counted, { plural }: Format) =>
    plural(count, { one: '# member loses access immediately.', other: '# members lose access immediately.' }),
  showAdministrators: 'Members who have lost their second factor see the names of administrators at sign-in',
  savePolicy: 'Save policy',
  policySaved: 'The policy was saved.',
  setUpOwn: 'Set up a second factor',
  withoutFactor: 'Members without a second factor',
  everyoneHasOne: 'Every member has a second factor.',
  lackOne: ({ count }: Counted, { plural }: Format) =>
    plural(count, { one: '# member has no second factor.', other: '# members have no second factor.' }),
  andMore: ({ count }: Counted, { plural }: Format) => plural(count, { one: 'and # more', other: 'and # more' }),
  sendReminders: 'Send reminder',
  remindersText: 'By email, at most one a day to each member.',
  remindersSent: ({ count }: Counted, { plural }: Format) =>
    plural(count, { one: 'A reminder was sent to # member.', other: 'Reminders were sent to # members.' }),
  alreadyReminded: 'These members got a reminder in the last 24 hours.',
  moreReminders: 'There are more members. Send again to reach them.',
  stopped: ({ name }: Named) => `${name} requires a second factor`,
  stoppedText:
    'Your account has none. Set one up to open this organization again. Your account and your other organizations stay open.',
  emailIsNotEnough: 'Codes by email are not enough.',
  otherOrganizations: 'All organizations',
  dueSoon: ({ date }: { readonly date: string }) => `This organization requires a second factor. You need one from ${date}.`,
} as const
