export interface Number {
  readonly number: string
}

/** A number as typed, on one line. */
export const unbroken = (number: string): string => number.replaceAll(' ', '\u00a0')

/** Phone numbers, on the pages of visitors and in the account area. */
export const messages = {
  phoneSignIn: 'Sign in with your phone number',
  phoneLead: 'We send you a code by text message.',
  phoneLeadSignUp: 'We send you a code by text message. If you have no account yet, we create one.',
  phonePasswordLead: 'Enter your phone number and your password.',
  phoneNumber: 'Phone number',
  phoneHint: 'With the country code, such as +49\u00a0170\u00a01234567.',
  password: 'Password',
  rememberMe: 'Keep me signed in',
  sendCode: 'Send code',
  usePassword: 'Use a password instead',
  useCode: 'Use a code instead',
  signIn: 'Sign in',
  forgotPassword: 'Forgot password?',
  otherMethods: 'Other sign-in methods',
  createAccount: 'Create an account',
  codeGoesTo: ({ number }: Number) => `We send a code to ${unbroken(number)}.`,
  enterCode: 'Enter the code',
  codeSent: ({ number }: Number) => `We sent a code to ${unbroken(number)}.`,
  code: 'Code',
  newCodeSent: 'A new code was sent.',
  sendNewCode: 'Send a new code',
  newCodeIn: ({ time }: { readonly time: string }) => `New code in ${time}`,
  changeNumber: 'Change the number',
  unknownNumber: ({ number }: Number) => `No account uses ${number}.`,
  resetByPhone: 'Reset your password by text message',
  resetByPhoneLead: 'We send a code to the phone number of your account.',
  resetByEmail: 'Use your email address instead',
  newPassword: 'New password',
  savePassword: 'Save password',
  passwordSaved: 'Your password was changed',
  passwordSavedLead: 'You can now sign in with it.',
  noPhoneNumber: 'No phone number',
  noPhoneNumberText: 'With a phone number you can sign in by text message.',
  addNumber: 'Add phone number',
  changeOwnNumber: 'Change phone number',
  removeNumber: 'Remove',
  removeQuestion: 'Remove your phone number?',
  removeText: ({ number }: Number) => `You can no longer sign in with ${number}.`,
  newNumber: 'New phone number',
  verifyNumber: 'Verify',
  numberSaved: ({ number }: Number) => `${number} is verified. You can now sign in with it.`,
  numberRemoved: 'Your phone number was removed.',
} as const
