/** All screens: a folder and a line each. Routes, navigation, titles and messages follow. */
import type { ScreenFolder } from '../screens.ts'
import { accountDeletion } from './account-deletion/index.ts'
import { accounts } from './accounts/index.ts'
import { dataExport } from './data-export/index.ts'
import { development } from './development/index.ts'
import { emailPassword } from './email-password/index.ts'
import { emailVerification } from './email-verification/index.ts'
import { mailbox } from './mailbox/index.ts'
import { meta } from './meta/index.ts'
import { organizations } from './organizations/index.ts'
import { passwordReset } from './password-reset/index.ts'
import { profile } from './profile/index.ts'
import { sessions } from './sessions/index.ts'
import { setup } from './setup/index.ts'
import { socialSignIn } from './social-sign-in/index.ts'

export const folders: readonly ScreenFolder[] = [
  development,
  emailPassword,
  emailVerification,
  mailbox,
  meta,
  passwordReset,
  setup,
  profile,
  accounts,
  sessions,
  organizations,
  dataExport,
  accountDeletion,
  socialSignIn,
]
