/** Mail: whether the server takes our connection and our name, without sending anything. */
import { openMailer } from '../../adapters/mail/open.ts'
import type { Config } from '../../features/index.ts'
import { maskSecrets } from '../../lib/mask-secrets.ts'
import { type Finding, failed, ok, skipped, warning } from './finding.ts'

const title = 'Mail'

export async function checkMail({ mail, emailAndPassword }: Config): Promise<Finding[]> {
  if (!mail.enabled) {
    if (!emailAndPassword.enabled) return [skipped('mail', title, 'Not configured')]
    const message = 'Not configured: nobody can get a new password by mail'
    return [warning('mail', title, message, 'Add the section mail, or functions that send.')]
  }
  if (mail.catch) return [ok('mail', title, 'Kept instead of sent, for development')]
  try {
    const mailer = await openMailer(mail)
    await mailer?.ping()
    await mailer?.close()
    return [ok('mail', title, mail.send ? 'Delivered by a function of the configuration' : 'The server takes our connection')]
  } catch (error) {
    const reason = error instanceof Error ? maskSecrets(error.message) : 'unknown'
    return [failed('mail', title, reason, 'Check that it runs, its address, password and certificate. Until then mails wait.')]
  }
}
