/** The folders that every page loads: those of visitors. With screens of signed-in users, the sign-in page would become larger. */
import type { ScreenFolder } from '../screens.ts'
import { emailPassword } from './email-password/index.ts'
import { emailVerification } from './email-verification/index.ts'
import { meta } from './meta/index.ts'
import { passwordReset } from './password-reset/index.ts'
import { phoneNumber } from './phone-number/index.ts'
import { setup } from './setup/index.ts'

export const hostedFolders: readonly ScreenFolder[] = [emailPassword, emailVerification, meta, passwordReset, phoneNumber, setup]
