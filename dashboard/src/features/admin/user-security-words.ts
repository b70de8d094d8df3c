/** The decisions of a sign-in in words. What is not known here, such as the name of a provider, is shown as the server says it. */
import type { Translate } from '../../i18n/messages.ts'
import type { Step } from './user-security-data.ts'
import type { messages as english } from './user-security-en.ts'

type T = Translate<typeof english>
/** The keys of texts without values. */
type Plain = { [K in keyof typeof english]: (typeof english)[K] extends string ? K : never }[keyof typeof english]
type Words = Readonly<Record<string, Plain>>

const factorWords: Words = {
  passkey: 'passkeyFactor',
  totp: 'app',
  'otp:sms': 'texts',
  'otp:email': 'emails',
  'backup-code': 'backupCodes',
}

const methodWords: Words = {
  password: 'password',
  passkey: 'passkeyMethod',
  'passkey:without-user-verification': 'withoutUserVerification',
  'phone-number': 'phoneCode',
  'email-code': 'emailCode',
  'magic-link': 'magicLink',
  social: 'socialMethod',
}

const stepWords: Words = {
  admission: 'admission',
  challenge: 'challenge',
  provider: 'providerTrust',
  'trusted-browser': 'trustedBrowsers',
  codes: 'codes',
  rule: 'rule',
  'rule-methods': 'ruleMethods',
  'rule-due': 'ruleDue',
  terms: 'terms',
  'step-up': 'stepUp',
}

const resultWords: Words = {
  ...factorWords,
  available: 'available',
  unavailable: 'unavailable',
  admitted: 'admitted',
  rejected: 'rejected',
  none: 'notDemanded',
  accepted: 'counted',
  challenge: 'demanded',
  postponable: 'postponable',
  unanswerable: 'unanswerable',
  conditional: 'conditional',
  offered: 'offered',
  'not-offered': 'notOffered',
  'not-accepted': 'notTrusted',
  compared: 'compared',
  suspended: 'codesOff',
  'recent-factor': 'recentFactor',
  'fresh-session': 'freshSession',
  satisfied: 'satisfied',
  grace: 'grace',
  setup: 'setup',
}

const reasonWords: Words = {
  'has-password': 'hasPassword',
  'no-password': 'noPassword',
  'password-must-be-replaced': 'passwordMustBeReplaced',
  'email-not-verified': 'emailNotVerified',
  linked: 'linked',
  'not-linked': 'notLinked',
  'number-verified': 'numberVerified',
  'number-not-verified': 'numberNotVerified',
  'has-email': 'hasEmail',
  'has-passkey': 'hasPasskey',
  'no-passkey': 'noPasskey',
  off: 'off',
  'no-rejection': 'noRejection',
  'terms-accepted': 'termsAccepted',
  BANNED_USER: 'banned',
  ACCOUNT_LOCKED: 'locked',
  'no-factor': 'noFactor',
  'two-factors-in-one': 'twoFactorsInOne',
  'provider-trusted': 'providerTrusted',
  'has-factor': 'hasFactor',
  required: 'required',
  usable: 'usable',
  'not-set-up': 'notSetUp',
  'not-confirmed': 'notConfirmed',
  suspended: 'factorSuspended',
  'cannot-be-sent': 'cannotBeSent',
  'no-recipient': 'noRecipient',
  'first-factor-channel': 'firstFactorChannel',
  'other-method': 'otherMethod',
  rule: 'forbiddenByRule',
}

export const factorWord = (t: T, { type, channel }: { readonly type: string; readonly channel?: string | undefined }): string =>
  wordOf(t, factorWords, channel === undefined ? type : `${type}:${channel}`)

const wordOf = (t: T, words: Words, name: string): string => {
  const key = Object.hasOwn(words, name) ? words[name] : undefined
  return key === undefined ? name : (t as (key: Plain) => string)(key)
}

/** The number after a name, such as that of `left:7`; null: there is none. */
const numberOf = (text: string, name: string): number | null =>
  text.startsWith(`${name}:`) ? Number(text.slice(name.length + 1)) : null

const providerOf = (name: string): string | null => (name.startsWith('social:') ? name.slice('social:'.length) : null)

/** The method of a step, such as `social:google`; null: the step is about something else. */
export const methodOf = ({ step }: Step): string | null => (step.startsWith('method:') ? step.slice('method:'.length) : null)

/** @param providerName of the ID of a provider */
export function methodWord(t: T, name: string, providerName: (id: string) => string): string {
  const provider = providerOf(name)
  return provider === null ? wordOf(t, methodWords, name) : providerName(provider)
}

export function stepWord(t: T, step: Step, providerName: (id: string) => string): string {
  const method = methodOf(step)
  if (method !== null) return methodWord(t, method, providerName)
  const factor = step.step.startsWith('factor:') ? step.step.slice('factor:'.length) : null
  return factor === null ? wordOf(t, stepWords, step.step) : wordOf(t, factorWords, factor)
}

export function resultWord(t: T, { step, result }: Step): string {
  const delay = numberOf(result, 'delayed')
  if (delay !== null) return t('delayed', { count: delay })
  if (step === 'trusted-browser' && result === 'accepted') return t('trusted')
  if (step === 'rule-methods')
    return result
      .split(',')
      .map((name) => wordOf(t, factorWords, name === 'sms' ? 'otp:sms' : name))
      .join(', ')
  return wordOf(t, resultWords, result)
}

export function reasonWord(t: T, { reason }: Step): string {
  const [left, browsers] = [numberOf(reason, 'left'), numberOf(reason, 'browsers')]
  if (left !== null) return t('left', { count: left })
  if (browsers !== null) return t('browsers', { count: browsers })
  const failures = numberOf(reason, 'failures')
  if (failures !== null) return t('wrongCodes', { count: failures })
  const seconds = numberOf(reason, 'max-age')
  return seconds === null ? wordOf(t, reasonWords, reason) : t('maxAge', { count: Math.round(seconds / 60) })
}
