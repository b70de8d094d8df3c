/** Which phone numbers are valid, and the form in which they are stored and compared. */
import type { App } from '../../core/app.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { acceptsNumber } from '../outbox/index.ts'

export const errors = defineErrors({
  INVALID_PHONE_NUMBER: [400, 'Invalid phone number'],
  INVALID_PHONE_NUMBER_OR_PASSWORD: [401, 'Invalid phone number or password'],
  PHONE_NUMBER_NOT_VERIFIED: [401, 'Phone number not verified'],
  PHONE_NUMBER_ALREADY_EXISTS: [400, 'Phone number already exists'],
  PHONE_NUMBER_CANNOT_BE_UPDATED: [400, 'Phone number cannot be updated'],
  PHONE_NUMBER_ISNT_REGISTERED: [400, "phone number isn't registered"],
  SENDOTP_NOT_IMPLEMENTED: [501, 'sendOTP not implemented'],
  OTP_NOT_FOUND: [400, 'OTP not found'],
  OTP_EXPIRED: [400, 'OTP expired'],
  TOO_MANY_ATTEMPTS: [403, 'Too many attempts'],
  INVALID_OTP: [400, 'Invalid OTP'],
  UNEXPECTED_ERROR: [400, 'Unexpected error'],
})

/** Characters of the column. A number has 15 digits at most (ITU-T E.164); a validator may accept more. */
export const columnLength = 32
/** Longer texts are rejected before anything else looks at them. */
const maxTyped = 64

const international = /^\+[1-9]\d{6,14}$/

/**
 * Country codes behind which no number has a 0: it is dialled within the country only, so that `+49 0170…` would be a second number of
 * the phone `+49 170…`. In other countries, such as Italy and the Ivory Coast, the 0 is part of the number (ITU-T E.164, national plans).
 */
const withoutZero = [
  ...['1', '7', '20', '27', '30', '31', '32', '33', '34', '36', '40', '41', '43', '44', '45', '46', '47', '48', '49', '51', '54'],
  ...['55', '58', '60', '61', '62', '63', '64', '66', '81', '82', '84', '86', '90', '91', '92', '93', '94', '95', '98', '212'],
  ...[
    '213',
    '233',
    '234',
    '251',
    '254',
    '255',
    '256',
    '351',
    '352',
    '353',
    '355',
    '358',
    '359',
    '370',
    '371',
    '372',
    '373',
    '374',
  ],
  ...[
    '380',
    '381',
    '385',
    '386',
    '387',
    '389',
    '420',
    '421',
    '591',
    '593',
    '595',
    '598',
    '855',
    '856',
    '880',
    '886',
    '961',
    '962',
  ],
  ...['963', '964', '966', '971', '972', '977', '994', '995', '996'],
]
const trunkZero = new RegExp(`^\\+(?:${withoutZero.join('|')})0`)

/**
 * The form in which a number is stored: without spaces and punctuation, and `+` in place of `00`, so that one number belongs to one user
 * however it is typed. Null for a text that is not a number in any form.
 */
function compact(typed: string): string | null {
  if (typed.length > maxTyped || !/^[\x20-\x7e]*$/.test(typed)) return null
  const number = typed.replaceAll(/[\s()./-]/g, '').replace(/^00(?=[1-9])/, '+')
  return number === '' || number.length > columnLength ? null : number
}

/** @throws ApiError INVALID_PHONE_NUMBER */
export async function readNumber({ config }: App, typed: string): Promise<string> {
  const { phoneNumberValidator } = config.phoneNumber
  const number = compact(typed)
  const isValid =
    number !== null &&
    (phoneNumberValidator ? await phoneNumberValidator(number) : international.test(number) && !trunkZero.test(number))
  if (number === null || isValid !== true) throw new ApiError(errors.INVALID_PHONE_NUMBER)
  return number
}

/** The same for numbers to which a text message is sent. @throws ApiError INVALID_PHONE_NUMBER, also when `sms.allowedPrefixes` has not its start */
export async function readRecipient(app: App, typed: string): Promise<string> {
  const number = await readNumber(app, typed)
  if (!acceptsNumber(app.config, number)) throw new ApiError(errors.INVALID_PHONE_NUMBER)
  return number
}

/** The number as stored, for calls that report an unknown number in their own way; a text that is not a number stays as it is. */
export const storedForm = (typed: string): string => compact(typed) ?? typed.slice(0, maxTyped)

const findByNumber = statement({ user: 'user' }, (db, { number }: { number: string }) =>
  db.selectFrom('user').where('user.phoneNumber', '=', number).where('user.phoneNumberVerified', '=', true),
)

/** The user who has verified a number. Others may claim it too, which permits nothing (contract 06 §6). @param number as stored */
export async function findUserByNumber(app: App, number: string): Promise<UserRow | null> {
  const [found] = await findByNumber(app, { number })
  return found?.user ?? null
}

/** The users who claim a number without having verified it; at most as many as one call ends. */
export const findClaimers = (app: App, number: string): Promise<UserRow[]> =>
  app.db
    .selectFrom('user')
    .selectAll()
    .where('phoneNumber', '=', number)
    .where((eb) => eb.or([eb('phoneNumberVerified', 'is', null), eb('phoneNumberVerified', '=', false)]))
    .orderBy('id')
    .limit(mostClaimers)
    .execute()
const mostClaimers = 100
