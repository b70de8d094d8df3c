/** The place of a captcha in a form whose call the configuration protects. The script of the pages shows the widget. */
import { buttonLook } from '../components/look.ts'
import { useFrameMessages } from '../messages/index.ts'
import { Note } from './note.tsx'
import { useSettings } from './page.ts'

export function CaptchaPlace({ call }: { readonly call: string }) {
  const t = useFrameMessages()
  const { captcha, branding } = useSettings()
  const path = call.replace(/^\w+ /, '')
  if (!captcha?.endpoints.some((endpoint) => path.includes(endpoint))) return null
  return (
    <fieldset
      className="grid min-w-0 gap-1.5"
      data-captcha={captcha.provider}
      data-site-key={captcha.siteKey}
      data-is-scored={captcha.isScored ? '' : undefined}
    >
      <legend className="sr-only">{t('captcha')}</legend>
      <noscript>
        <Note tone="warning">{t('captchaNeedsScripts')}</Note>
      </noscript>
      {/* As high as the widgets, so that the button does not move. */}
      <div data-widget className={captcha.isScored ? 'hidden' : 'min-h-[78px] [@media(scripting:none)]:hidden'} />
      <div data-failed hidden className="[&[hidden]]:hidden">
        <Note tone="danger" isLive>
          <p>{t('captchaFailed')}</p>
          <p className="mt-2">
            <button type="button" className={buttonLook({})}>
              {t('tryAgain')}
            </button>
          </p>
        </Note>
      </div>
      {branding.helpURL ? (
        <a href={branding.helpURL} className="inline-block justify-self-start py-0.5 text-13 text-accent hover:underline">
          {t('captchaHelp')}
        </a>
      ) : null}
    </fieldset>
  )
}
