import type { Format } from '../../i18n/format.ts'

export interface Counted {
  readonly count: number
}

export const messages = {
  mailbox: 'Mailbox',
  mailboxText: 'Emails and text messages arrive here instead of being sent. New ones appear by themselves.',
  searchByRecipient: 'Search by recipient',
  count: ({ count }: Counted, { plural }: Format) => plural(count, { one: '# message', other: '# messages' }),
  newestOnly: ({ count }: Counted, { plural }: Format) => plural(count, { other: 'The newest # messages' }),
  arrived: ({ count }: Counted, { plural }: Format) => plural(count, { one: '# new message', other: '# new messages' }),
  emails: 'Messages',
  noEmails: 'No messages yet',
  noEmailsText: 'Sign up or reset a password. The message with the link or code appears here immediately.',
  signUp: 'Sign up',
  resetPassword: 'Reset a password',
  noMatch: ({ text }: { readonly text: string }) => `No message to “${text}”`,
  noMatchText: 'Only the recipient is searched.',
  clearSearch: 'Clear the search',
  chooseEmail: 'Choose a message',
  chooseEmailText: 'Its content appears here, with its links or its code.',
  notFound: 'This message does not exist',
  notFoundText: 'It was deleted, or it is older than the listed messages.',
  backToList: 'All messages',
  to: 'To',
  received: 'Received',
  kind: 'Kind',
  textMessage: 'Text message',
  copyCode: 'Copy the code',
  view: 'View',
  asSent: 'As sent',
  plainText: 'Plain text',
  contentOf: ({ subject }: { readonly subject: string }) => `Content of “${subject}”`,
} as const
