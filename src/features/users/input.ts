/** Email addresses and pictures of users, as calls of several features read them. */
import { z } from 'zod'
import { longText } from '../../core/schemas.ts'
import { isReachableEmail } from '../../lib/placeholder-email.ts'
import { isEmailAddress, isImageURL } from '../../lib/text.ts'

/** The URL of a picture that apps show; an empty text is none. */
export const imageURL = longText.refine((text) => text === '' || isImageURL(text))

/** An email address as it was typed, without spaces around it. The calls check its form, with errors of their own. */
export const typedEmail = z.string().trim()
/** Contract 00 §12. */
export const emailAddress = typedEmail.refine(isEmailAddress).meta({ format: 'email' })
/** An address that is given to a user, or invited: no placeholder. */
export const reachableEmail = typedEmail.refine(isReachableEmail).meta({ format: 'email' })
