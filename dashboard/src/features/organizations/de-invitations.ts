import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en-invitations.ts'

export const messages: Translation<typeof english> = {}
