/** The text messages about a reset of second factors, and the code that requests one. */
import { defineTexts, textKind } from '../outbox/index.ts'
import { bound, type CodeMail } from './code-messages.ts'
import type { ResetNotice } from './reset-mail.ts'

/** Text messages also say that a reset was cancelled. */
export interface ResetText extends Omit<ResetNotice, 'stage'> {
  readonly stage: ResetNotice['stage'] | 'cancelled'
}

export const resetTexts = defineTexts({
  'two-factor-reset': textKind<ResetText>({
    content: {
      en: ({ stage, effectiveAt }, { appName, time }) => {
        if (stage === 'cancelled') return `${appName}: the reset of your second factors was cancelled. They stay as they are.`
        return stage === 'done'
          ? `${appName}: your second factors were reset. Not you? Contact the operator of this service.`
          : `${appName}: your second factors will be reset on ${time(effectiveAt)}. Not you? Cancel it with the link in our email.`
      },
      de: ({ stage, effectiveAt }, { appName, time, say }) => {
        if (stage === 'cancelled')
          return say(
            `${appName}: Das Zurücksetzen Ihrer zweiten Faktoren wurde abgebrochen. Sie bleiben, wie sie sind.`,
            `${appName}: Das Zurücksetzen deiner zweiten Faktoren wurde abgebrochen. Sie bleiben, wie sie sind.`,
          )
        return stage === 'done'
          ? say(
              `${appName}: Ihre zweiten Faktoren wurden zurückgesetzt. Das waren nicht Sie? Wenden Sie sich an den Betreiber.`,
              `${appName}: Deine zweiten Faktoren wurden zurückgesetzt. Das warst nicht du? Wende dich an den Betreiber.`,
            )
          : say(
              `${appName}: Ihre zweiten Faktoren werden am ${time(effectiveAt)} zurückgesetzt. Das waren nicht Sie? Der Link in unserer E-Mail bricht es ab.`,
              `${appName}: Deine zweiten Faktoren werden am ${time(effectiveAt)} zurückgesetzt. Das warst nicht du? Der Link in unserer E-Mail bricht es ab.`,
            )
      },
    },
    code: () => '',
  }),
  'two-factor-reset-code': textKind<CodeMail>({
    content: {
      en: ({ otp }, { appName, config, duration }) =>
        `${otp} is your code to reset the second factors of your ${appName} account. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}. Never share it.${bound(config, otp)}`,
      de: ({ otp }, { appName, config, duration, say }) =>
        say(
          `${otp} ist Ihr Code zum Zurücksetzen der zweiten Faktoren bei ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Geben Sie ihn nie weiter.${bound(config, otp)}`,
          `${otp} ist dein Code zum Zurücksetzen der zweiten Faktoren bei ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Gib ihn nie weiter.${bound(config, otp)}`,
        ),
    },
    code: ({ otp }) => otp,
  }),
})
