/** All screens of the application: a folder and a line each. Routes, navigation, titles and messages follow. */
import type { ScreenFolder } from '../routes/screens.ts'
import { accountDeletion } from './account-deletion/index.ts'
import { accounts } from './accounts/index.ts'
import { admin, administeredOrganizations } from './admin/index.ts'
import { apiKeys } from './api-keys/index.ts'
import { auditLog } from './audit-log/index.ts'
import { branding } from './branding/index.ts'
import { bulkActions } from './bulk-actions/index.ts'
import { dataExport } from './data-export/index.ts'
import { development } from './development/index.ts'
import { mailbox } from './mailbox/index.ts'
import { operations } from './operations/index.ts'
import { organizations } from './organizations/index.ts'
import { profile } from './profile/index.ts'
import { secondFactor, secondFactorSetup } from './second-factor/index.ts'
import { sessions } from './sessions/index.ts'
import { signUpAdmin } from './sign-up-admin/index.ts'
import { socialSignIn } from './social-sign-in/index.ts'
import { statistics } from './statistics/index.ts'
import { terms } from './terms/index.ts'

export const folders: readonly ScreenFolder[] = [
  development,
  mailbox,
  profile,
  accounts,
  secondFactor,
  secondFactorSetup,
  sessions,
  apiKeys,
  organizations,
  dataExport,
  terms,
  accountDeletion,
  socialSignIn,
  admin,
  administeredOrganizations,
  signUpAdmin,
  bulkActions,
  auditLog,
  statistics,
  operations,
  branding,
]
