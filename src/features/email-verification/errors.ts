import { defineErrors } from '../../core/errors.ts'

export const errors = defineErrors({
  VERIFICATION_EMAIL_ISNT_ENABLED: [400, "Verification email isn't enabled"],
  YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL: [
    400,
    'You can only send a verification email to an unverified email',
  ],
  YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL: [400, 'You can only send a verification email to your own email'],
})
