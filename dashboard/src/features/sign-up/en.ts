export const messages = {
  invite: 'Invite link',
  inviteTitle: ({ appName }: { readonly appName: string }) => `You are invited to ${appName}`,
  inviteLead: 'Create your account to accept the invitation.',
  inviteToOrganization: ({ organization }: { readonly organization: string }) => `You are invited to join ${organization}`,
  createAccount: 'Create account',
  haveAccount: 'Already have an account?',
  signIn: 'Sign in',
  joinLead: ({ organization, email }: { readonly organization: string; readonly email: string }) =>
    `You are signed in as ${email}. You will become a member of ${organization}.`,
  join: ({ organization }: { readonly organization: string }) => `Join ${organization}`,
  alreadySignedIn: ({ email }: { readonly email: string }) =>
    `You are signed in as ${email}. This link is for users without an account.`,
  useAnotherAccount: 'Use another account',
  unusable: 'This invite link no longer works',
  unusableLead: 'It has expired, was used up or was revoked. Ask for a new one.',
  waitingList: 'Waiting list',
  waitingListLead: ({ appName }: { readonly appName: string }) =>
    `Leave your email address. We will write to you when you can create your ${appName} account.`,
  email: 'Email address',
  name: 'Name',
  joinWaitingList: 'Join the waiting list',
  onTheList: 'Thank you',
  onTheListLead: ({ email }: { readonly email: string }) => `We will write to ${email} when you can create your account.`,
  approved: 'Have you been approved?',
}
