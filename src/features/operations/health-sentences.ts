/** What the checks of emails, jobs and the audit log found, for the commands; pages have their own sentences in two languages. */
import type { Check } from './health-report.ts'

type Sentence = readonly [text: string, fix?: string]

const sentences: Readonly<Partial<Record<Check['message'], (values: Check['values']) => Sentence>>> = {
  'no-response': () => ['No response in time', 'Check the load of the database, then run `latchkey doctor` again.'],
  failing: ({ failed }) => [
    `No email or text message was delivered since one failed permanently; failed: ${failed}`,
    'Read the errors with `latchkey mail list --dead`, fix the cause, then run `latchkey mail retry --all`.',
  ],
  delayed: ({ waiting }) => [
    `Messages are due for more than five minutes; waiting: ${waiting}`,
    'Check that a daemon is running and that the mail server responds: `latchkey status`, `latchkey logs`.',
  ],
  'failed-emails': ({ failed }) => [`Failed permanently: ${failed}; others are delivered`, 'Run `latchkey mail list --dead`.'],
  'not-configured': () => ['Not configured: no emails are sent', 'Add the section mail.'],
  caught: () => ['Emails are caught instead of sent'],
  delivers: ({ waiting }) => [`No message is late; waiting: ${waiting}`],
  late: ({ late }) => [
    `Late: ${late}. Expired rows stay, or emails wait`,
    'Check that a daemon is running: `latchkey status`. If one is, read `latchkey logs` and `latchkey restart` it.',
  ],
  'failed-jobs': ({ failed }) => [`The last run failed: ${failed}`, 'Read the cause in `latchkey logs`.'],
  'on-time': ({ jobs }) => [`All ${jobs} are on time`],
  broken: () => ['The last verification found that events were changed', 'Run `latchkey audit verify`.'],
  unnumbered: ({ events }) => [
    `Events wait for their number in the chain for more than five minutes: ${events}`,
    'Check that a daemon is running and that nothing locks the table auditEvent: `latchkey status`, `latchkey logs`.',
  ],
  unverified: () => ['Not verified yet, or its secret is no longer configured'],
  deleting: ({ organizations, members, users, events }) => [
    `In progress; organizations: ${organizations}, members left: ${members}; erased users: ${users}, events left: ${events}`,
  ],
  intact: ({ events }) => [`Intact at the last verification; events: ${events}`],
}

/** @returns a sentence about a check, and what to do if it is not ok */
export const sentenceOf = ({ message, values }: Check): Sentence => sentences[message]?.(values) ?? [message]
