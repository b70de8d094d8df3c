/** The messages with a code. Browsers and phones fill in one of a text message for our origin only (WebOTP, origin-bound codes). */
import { apiURL } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { boundLine, defineTexts, mailKind, textKind } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'

export interface CodeMail {
  readonly user: DescribedUser
  readonly otp: string
}

/** In seconds. */
export const codeLifetime = ({ twoFactor }: Config): number => twoFactor.otpOptions.period * 60

export const codeMail = mailKind<CodeMail>({
  option: ({ twoFactor }) => twoFactor.otpOptions.sendOTP,
  lifetime: codeLifetime,
  content: {
    en: ({ otp }, { appName, config, duration }) => ({
      subject: `${otp} is your ${appName} code`,
      preheader: 'It completes your sign-in.',
      heading: otp,
      paragraphs: [
        `This code completes your sign-in to ${appName}. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}.`,
      ],
      footnote: "Never share it. If you didn't sign in, another person knows your password: change it now.",
    }),
    de: ({ otp }, { appName, config, duration, say }) => ({
      subject: say(`${otp} ist Ihr Code für ${appName}`, `${otp} ist dein Code für ${appName}`),
      preheader: say('Er schließt Ihre Anmeldung ab.', 'Er schließt deine Anmeldung ab.'),
      heading: otp,
      paragraphs: [
        say(
          `Dieser Code schließt Ihre Anmeldung bei ${appName} ab. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}.`,
          `Dieser Code schließt deine Anmeldung bei ${appName} ab. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}.`,
        ),
      ],
      footnote: say(
        'Geben Sie ihn nie weiter. Wenn Sie sich nicht angemeldet haben, kennt jemand Ihr Passwort: Ändern Sie es jetzt.',
        'Gib ihn nie weiter. Wenn du dich nicht angemeldet hast, kennt jemand dein Passwort: Ändere es jetzt.',
      ),
    }),
  },
  example: (app) => ({ user: exampleUser(app), otp: '482913' }),
})

export const texts = defineTexts({
  'two-factor-code': textKind<CodeMail>({
    option: ({ twoFactor }) => twoFactor.otpOptions.sendOTP,
    content: {
      en: ({ otp }, { appName, config, duration }) =>
        `${otp} is your ${appName} code. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}. Never share it.${bound(config, otp)}`,
      de: ({ otp }, { appName, config, duration, say }) =>
        say(
          `${otp} ist Ihr Code für ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Geben Sie ihn nie weiter.${bound(config, otp)}`,
          `${otp} ist dein Code für ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Gib ihn nie weiter.${bound(config, otp)}`,
        ),
    },
    code: ({ otp }) => otp,
  }),
})

export const bound = (config: Parameters<typeof apiURL>[0], otp: string): string =>
  boundLine(new URL(apiURL(config)).hostname, otp)
