/** Titles in the navigation, with every page of the application. */
import type { Format } from '../../i18n/format.ts'

export const messages = {
  inviteLinks: 'Invite links',
  waitingList: 'Waiting list',
  waitingApplicants: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, { one: '# applicant waits', other: '# applicants wait' }),
}
