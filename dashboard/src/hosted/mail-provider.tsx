/** The way to the mailbox of a large mail provider, after an email was sent. */
import { ExternalLink } from 'lucide-react'
import { buttonLook } from '../components/look.ts'

const providers = [
  ['Gmail', 'https://mail.google.com/', 'gmail.com', 'googlemail.com'],
  ['Outlook', 'https://outlook.live.com/mail/', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'outlook.de', 'hotmail.de'],
  ['Yahoo', 'https://mail.yahoo.com/', 'yahoo.com', 'yahoo.de', 'yahoo.co.uk', 'ymail.com'],
  ['iCloud', 'https://www.icloud.com/mail', 'icloud.com', 'me.com', 'mac.com'],
  ['Proton Mail', 'https://mail.proton.me/', 'proton.me', 'protonmail.com', 'pm.me'],
  ['GMX', 'https://www.gmx.net/', 'gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
  ['WEB.DE', 'https://web.de/', 'web.de'],
] as const

/** @param label of the button, with the name of the provider @returns nothing for addresses of other domains, whose mailbox is anywhere. */
export function MailProviderLink({ email, label }: { readonly email: string; readonly label: (provider: string) => string }) {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const known = providers.find(([, , ...domains]) => domains.some((own) => own === domain))
  if (!known) return null
  const [name, url] = known
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={buttonLook({ variant: 'secondary', size: 'large' })}>
      {label(name)}
      <ExternalLink aria-hidden className="size-4" />
    </a>
  )
}
