export const messages = {
  somethingWentWrong: 'Something went wrong',
  lastStepFailed:
    'The last step could not be completed. Go back and try again. If it fails again, contact the operator of this site.',
  errorCode: 'Error code',
  requestId: 'Request ID',
  returnToApplication: 'Return to the application',
  emailChange: 'Change of email address',
  emailChanged: 'Your email address is changed',
  emailChangedTo: ({ email }: { readonly email: string }) => `You now sign in with ${email}.`,
  emailChangedLead: 'From now on, sign in with your new email address.',
  confirmNew: 'One more step: open the second email',
  confirmNewLead: 'You confirmed the change. We sent another email to your new address. Open the link in it to finish.',
  verifyNewLead: ({ email }: { readonly email: string }) =>
    `We sent an email to ${email}. Open the link in it to verify the address.`,
  emailNotChanged: 'Your email address was not changed',
  unauthorized: 'Open the link in a browser in which you are signed in to the account whose email address changes.',
  changeAgain: 'You can request the change again in your account.',
  accountDeletion: 'Account deletion',
  accountDeleted: 'Your account is deleted',
  accountDeletedLead: ({ appName }: { readonly appName: string }) =>
    `Your ${appName} account and its data are gone, and you are signed out on all devices.`,
  signedOut: 'You are signed out',
  signedOutLead: ({ appName }: { readonly appName: string }) => `You are no longer signed in to ${appName} in this browser.`,
} as const
