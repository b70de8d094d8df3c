/** Schemas of forms, made of those of the API. The messages are error codes. */
import { z } from 'zod'
import { emailAddress } from '../../src/core/schemas.ts'

const required = z.string().min(1)

export const signIn = z.object({ email: emailAddress, password: required, rememberMe: z.boolean() })
export const passwordOnly = z.object({ password: required })
