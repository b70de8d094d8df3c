export const messages = {
  isDue: 'Do you still have your backup codes?',
  isDueText: 'Find out now, and not on the day on which you need them. Enter one of them; you get a new one for it.',
  tryCode: 'Try a backup code',
  verify: 'Verify',
  isRight: 'The code is right',
  replacement: 'Replace the code that you entered by this one. It is not shown again.',
  lost: 'If you have lost them, create new codes below.',
  tried: 'You tried a backup code, and got a new one for it.',
} as const
