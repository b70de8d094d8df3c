/** Sign in, sign up and reset a password with a phone number. */
import { phoneMessages as messages } from '../../messages.ts'
import { screenFolder } from '../../screens.ts'

export { phoneMessages as messages } from '../../messages.ts'

export const phoneNumber = screenFolder({
  messages,
  screens: [
    {
      path: '/sign-in/phone',
      title: 'phoneSignIn',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./sign-in.tsx'),
      exists: (settings) => settings.phoneNumber?.codes === true || settings.phoneNumber?.passwords === true,
    },
    {
      path: '/forgot-password/phone',
      title: 'resetByPhone',
      frame: 'hosted',
      access: 'anyone',
      load: () => import('./forgot-password.tsx'),
      exists: (settings) => settings.phoneNumber?.passwordReset === true,
    },
  ],
})
