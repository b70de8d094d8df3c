import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  MISSING_CAPTCHA_RESPONSE: [400, 'Missing CAPTCHA response'],
  CAPTCHA_VERIFICATION_FAILED: [403, 'Captcha verification failed'],
  SOMETHING_WENT_WRONG: [500, 'Something went wrong'],
})
