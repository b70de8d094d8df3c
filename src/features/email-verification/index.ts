/** Links that prove an address: asking for one, following one, and the second step of a change of address. The first is of email-change. */
export { config, type LinkMail } from './config.ts'
export { errors } from './errors.ts'
export { canVerify, mails, pretendVerificationMail, sendVerificationMail, verificationURL } from './mails.ts'
export { routes } from './routes.ts'
export { createEmailToken } from './tokens.ts'
