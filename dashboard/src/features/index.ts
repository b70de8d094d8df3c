/** All screens: a folder and a line each. Routes, navigation, titles and messages follow. */
import type { ScreenFolder } from '../screens.ts'
import { emailPassword } from './email-password/index.ts'
import { sessions } from './sessions/index.ts'

export const folders: readonly ScreenFolder[] = [emailPassword, sessions]
