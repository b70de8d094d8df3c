/** Second factors: demanded between a first factor and its session, for users who have one, and before dangerous calls. */
import { z } from 'zod'
import { type App, deviceOf } from '../../core/app.ts'
import type { Listeners } from '../../core/events.ts'
import { type Feature, type Job, ofAccount, settings } from '../../core/feature.ts'
import { sweepEnded } from '../../core/sweep.ts'
import type { Config } from '../index.ts'
import { findUserById, updateUserFields } from '../users/index.ts'
import { sweepChallenges } from './abandoned.ts'
import { addedTexts } from './added-texts.ts'
import { endSuspensionOfSetup } from './attempts.ts'
import { texts as codeTexts } from './code-messages.ts'
import { heldBy, holdsAny } from './due.ts'
import { endChallenges } from './enabling.ts'
import { endFactors, kindsOf } from './enrolment.ts'
import { mails as factorMails } from './mails.ts'
import { sendsBy } from './methods.ts'
import { findFactors } from './model.ts'
import { cancelReset } from './pending-resets.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import { resetMails } from './reset-mail.ts'
import { resetTexts } from './reset-texts.ts'
import { runResets } from './resets.ts'
import { endTrustOfAll } from './revocation.ts'
import { userRules } from './rules.ts'
import { resendAfter } from './sent-codes.ts'
import { setupRoutes } from './setup-routes.ts'
import { statusRoutes } from './status-routes.ts'
import { demandStepUp } from './step-up.ts'
import { countTrusted, endTrust, rotateBrowser } from './trusted-devices.ts'
import { verifyRoutes } from './verify-routes.ts'

export { type AddedText, textAddition } from './added-texts.ts'
export { describeFactors } from './administration.ts'
export { type CodeFailures, clearFailures, explainFailures } from './attempts.ts'
export { isCodes } from './backup-codes.ts'
export { challenge, clearChallengeCookie, findChallenge, type PendingChallenge } from './challenge.ts'
export { checkConfig, config } from './config.ts'
export { disablesKeys, heldBy, heldWith, meetRules, nextStep, requirementOf, watchRemoval } from './due.ts'
export { dropFactor } from './enrolment.ts'
export { type FactorNotice, knownFacts } from './factor-notice.ts'
export { firstFactorOf, reachableChannels, sendsBy } from './methods.ts'
export {
  errors,
  type FactorRow,
  factorView,
  findFactors,
  indexes,
  methodView,
  secretUses,
  tables,
  writeFactors,
} from './model.ts'
export type { Origin } from './notices.ts'
export { cancelReset, findPendingReset, type PendingReset, type ResetFactor } from './pending-resets.ts'
export {
  answerChallenge,
  endFailuresBy,
  findProbation,
  provenColumnsOf,
  type SecondProof,
  stepUp as strengthenSession,
} from './proofs.ts'
export { type FactorReset, type ResetResult, resetFactors } from './resets.ts'
export {
  dueAtOf,
  forbidsTrust,
  type Qualifying,
  qualifyingMethod,
  type Requirement,
  type Rule,
  ruleName,
  rulesFor,
  userRules,
  whatIsRequired,
} from './rules.ts'
export { acceptedIn, completeSetup, demandSetup } from './setup.ts'
export { describeRequirement, requiredView, twoFactorSetup } from './status-routes.ts'
export { ageFor } from './step-up.ts'
export {
  canAnswer,
  draftFactors,
  exportFactors,
  type FactorDraft,
  type GivenFactors,
  insertFactors,
} from './stored-factors.ts'
export { findSetup, type SetupSubject } from './subject.ts'
export { describeSecret, type SecretDescription, sealKey } from './totp.ts'

export { endTrustHere } from './trusted-devices.ts'
export { backupCodes } from './verify-routes.ts'

export const mails = { ...factorMails, ...resetMails }
export const texts = { ...codeTexts, ...resetTexts, ...addedTexts }

/** In addition to those of other features, which roles may be given too (contract 05 §1). */
export const permissions = { user: ['reset-two-factor'] } as const

export { hasSecondFactor } from './model.ts'

export const area = 'Second factor'

export const plugin = 'two-factor'

export const enabled = ({ twoFactor }: Config): boolean => twoFactor.enabled

export const stepUp: NonNullable<Feature['stepUp']> = demandStepUp

export const publicSettings = settings(
  {
    twoFactor: z
      .object({
        totp: z.boolean(),
        channels: z.array(z.enum(['sms', 'email'])),
        digits: z.int().meta({ description: 'Of a code of an authenticator app' }),
        codeLength: z.int().meta({ description: 'Digits of a code that is sent' }),
        isRequired: z.boolean().meta({ description: 'Whether a rule demands a second factor of some users' }),
        recovery: z.boolean().meta({ description: 'Whether users can request a reset of their second factors' }),
        resendAfter: z
          .object({ sms: z.int(), email: z.int() })
          .meta({ description: 'Seconds after which another code is sent, by channel' }),
        trustDays: z.number().meta({ description: 'For which a browser can be trusted; 0: not at all' }),
      })
      .nullable(),
  },
  (config) => {
    const { enabled, totpOptions, otpOptions, trustDeviceMaxAge, recovery } = config.twoFactor
    if (!enabled) return { twoFactor: null }
    return {
      twoFactor: {
        totp: !totpOptions.disable,
        channels: otpOptions.channels.filter((channel) => sendsBy({ config, mailer: null }, channel)),
        digits: totpOptions.digits,
        codeLength: otpOptions.digits,
        isRequired: userRules(config).length > 0,
        recovery: recovery.selfService,
        resendAfter: { sms: resendAfter(config, 'sms'), email: resendAfter(config, 'email') },
        trustDays: Math.round(trustDeviceMaxAge / 864) / 100,
      },
    }
  },
)

export const auditActions = {
  'two-factor.challenged': ofAccount(
    'A sign-in waits for a second factor, or for its set-up if a `rule` demands it; `method` is the first one, `reason` why',
  ),
  'two-factor.failed': ofAccount('A wrong code was given as second factor'),
  'two-factor.required':
    'A user signed in under a rule that demands a second factor, and has none; `dueAt` is when the rule takes effect',
  'two-factor.enabled': ofAccount('A user enabled their first second factor'),
  'two-factor.disabled': ofAccount('A user removed their last second factor'),
  'two-factor.method-added': ofAccount('A user added or replaced a second factor'),
  'two-factor.method-removed': ofAccount('A user removed one of several second factors'),
  'two-factor.stepped-up': 'A signed-in user proved a second factor',
  'two-factor.backup-codes-created': ofAccount('A user got new backup codes'),
  'two-factor.backup-code-used': ofAccount('A user used a backup code; `left` is the number that they still have'),
  'two-factor.secret-shown': ofAccount('A user was shown the secret of their authenticator app'),
  'two-factor.locked': ofAccount('Wrong codes delay the second factor of a user'),
  'two-factor.suspended': ofAccount('Codes as second factor of a user were turned off after 100 wrong ones'),
  'two-factor.backup-code-rehearsed': ofAccount('A user tried a backup code, which was replaced by a new one'),
  'two-factor.reset-requested': ofAccount(
    'A reset of second factors waits; `requestedBy` says who asked for it, and `effectiveAt` when it takes effect',
  ),
  'two-factor.reset-cancelled': ofAccount(
    'A reset of second factors was cancelled, by a sign-in with one of them or with the link of an email',
  ),
  'two-factor.reset': ofAccount('Second factors of a user were reset; `requestedBy` says who asked for it, and `reason` why'),
  'trusted-device.added': ofAccount('A user trusts a browser, which then needs no second factor'),
  'trusted-device.removed': ofAccount('Trust in browsers of a user ended; `reason` is absent when they asked for it'),
}

const endTrustIn =
  (reason: string) =>
  async (tx: App, { userId }: { readonly userId: string }): Promise<void> => {
    await endTrust(tx, userId, { reason })
    await endChallenges(tx, userId)
  }

/** Text messages to another number are a new factor, which is on probation. */
async function renewTextFactor(tx: App, { userId }: { readonly userId: string }): Promise<void> {
  const factors = tx.db.updateTable('twoFactor').set({ otpAddedAt: tx.now(), otpAddedWith: deviceOf(tx), updatedAt: tx.now() })
  await factors.where('userId', '=', userId).where('otpChannels', 'in', ['sms', 'sms,email']).execute()
}

export const on: Listeners = {
  'client.signed-in': async (_, { ctx, current }) => {
    // It was not proven now, so the browser may be trusted.
    if (current.user.twoFactorEnabled && current.session.factorProvenAt == null) await rotateBrowser(ctx, current.user.id)
  },
  'phone-number.changed': renewTextFactor,
  'password.changed': async (tx, { userId }) => {
    await endTrustIn('password-changed')(tx, { userId })
    await endSuspensionOfSetup(tx, userId)
  },
  'user.email-changed': endTrustIn('email-changed'),
  'all-sessions.revoked': endTrustOfAll,
  'account.locking': async (tx, { userId, isPreview }) => {
    const trustedBrowsers = await countTrusted(tx, userId)
    if (isPreview) return { trustedBrowsers }
    // Trust and pending sign-ins end with all sessions; a thief may have requested the reset.
    await cancelReset(tx, userId)
    return { trustedBrowsers }
  },
  'organization.factor-demanded': async (app, { userId }) => {
    const user = await findUserById(app, userId)
    return { isSatisfied: user !== null && (await heldBy(app, user, await findFactors(app, userId))).length > 0 }
  },
  'organization.factors-listed': (app) => ({ isSatisfied: holdsAny(app) }),
  'earlier-access.revoked': async (tx, { userId }) => {
    const trustedBrowsersEnded = await countTrusted(tx, userId)
    const row = await findFactors(tx, userId)
    if (await endFactors(tx, userId)) await updateUserFields(tx, userId, { twoFactorEnabled: false })
    // One that was never confirmed, or a counter of wrong codes, gives no access.
    return { secondFactorsEnded: kindsOf(row).length, trustedBrowsersEnded }
  },
}

const sweepTrust: Job['run'] = (app, signal) => sweepEnded(app, signal, { table: 'trustedDevice', column: 'expiresAt' })

export const jobs = {
  signInChallenges: { every: 300, run: sweepChallenges },
  trustedDevices: { every: 3600, run: sweepTrust },
  factorResets: { every: 60, run: runResets },
}

export const routes = { ...verifyRoutes, ...setupRoutes, ...statusRoutes, ...recoveryRoutes }
