/** Who may create an account, on the pages of sign-up. */
export const messages = {
  invitationOpened: 'Your invitation is ready. Create your account to accept it.',
  needsInvitation: 'You need an invitation to create an account. Open your invite link first.',
  needsInvitationOrAddress:
    'You need an invitation to create an account. Open your invite link first, or use the email address that was invited.',
  needsApproval: 'You can create an account when you are approved.',
  notYet: 'An account cannot be created with this email address yet. Join the waiting list, and we will write to you.',
  joinWaitingList: 'Join the waiting list',
} as const
