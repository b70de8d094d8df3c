/** All screens: a folder and a line each. Routes, navigation, titles and messages follow. */
import type { ScreenFolder } from '../screens.ts'
import { development } from './development/index.ts'
import { emailPassword } from './email-password/index.ts'
import { mailbox } from './mailbox/index.ts'

export const folders: readonly ScreenFolder[] = [emailPassword, development, mailbox]
