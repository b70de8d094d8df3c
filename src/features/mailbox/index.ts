/** Mails kept instead of sent, for development: a page and a list of them. */
import type { Config } from '../index.ts'

export { catchMail } from './caught-mails.ts'
export { checkConfig } from './config.ts'
export { routes } from './routes.ts'
export { indexes, tables } from './tables.ts'

export const enabled = ({ mail }: Config) => mail.enabled && mail.catch
