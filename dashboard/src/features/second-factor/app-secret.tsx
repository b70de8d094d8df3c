/** The secret of an authenticator app: as a picture, as a key to type, and on phones as a link to the app. */
import { lazy, Suspense } from 'react'
import { ExternalButton } from '../../components/button.tsx'
import { CopyButton } from '../../components/feedback.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

/** What encodes is loaded with it. */
const QRCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QRCode })))

export function AppSecret({ totpURI }: { readonly totpURI: string }) {
  const t = useMessages(messages)
  const key = URL.parse(totpURI)?.searchParams.get('secret') ?? ''
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-14">{t('scan')}</p>
      <Suspense fallback={<div aria-hidden className="size-48 rounded-card bg-sunken" />}>
        <QRCode text={totpURI} label={t('qrCode')} />
      </Suspense>
      <div className="hidden pointer-coarse:block">
        <ExternalButton href={totpURI}>{t('openInApp')}</ExternalButton>
      </div>
      <div className="grid max-w-full gap-1">
        <p className="text-13 text-muted">{t('typeKey')}</p>
        <div className="flex items-start gap-2 rounded-control bg-sunken px-3 py-2">
          <code dir="ltr" translate="no" className="min-w-0 font-mono text-13 [font-variant-ligatures:none]">
            {key.match(/.{1,4}/g)?.join(' ')}
          </code>
          <CopyButton text={key} label={t('copyKey')} />
        </div>
      </div>
    </div>
  )
}
