/** The text message with a code, which browsers and phones fill in for our origin only (WebOTP, origin-bound codes). */
import { apiURL } from '../../core/route.ts'
import { defineTexts, textKind } from '../outbox/index.ts'
import type { CodeMail } from './mails.ts'

export const texts = defineTexts({
  'two-factor-code': textKind<CodeMail>({
    option: ({ twoFactor }) => twoFactor.otpOptions.sendOTP,
    content: {
      en: ({ otp }, { appName, config, duration }) =>
        `${otp} is your ${appName} code. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}. Never share it.\n\n${bound(config, otp)}`,
      de: ({ otp }, { appName, config, duration, say }) =>
        say(
          `${otp} ist Ihr Code für ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Geben Sie ihn nie weiter.\n\n${bound(config, otp)}`,
          `${otp} ist dein Code für ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Gib ihn nie weiter.\n\n${bound(config, otp)}`,
        ),
    },
    code: ({ otp }) => otp,
  }),
})

const bound = (config: Parameters<typeof apiURL>[0], otp: string): string => `@${new URL(apiURL(config)).hostname} #${otp}`
