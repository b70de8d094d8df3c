export const messages = {
  profile: 'Profile',
  profileLead: 'Your name, and what this site asks for.',
  name: 'Name',
  created: 'Account created',
  userId: 'User ID',
  copyUserId: 'Copy the user ID',
  save: 'Save profile',
  saved: 'Your profile was saved.',
} as const
