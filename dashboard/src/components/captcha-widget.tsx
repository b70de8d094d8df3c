/** The widget of a captcha. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { PublicSettings } from '../../../src/features/index.ts'
import { languageTag } from '../../../src/lib/locale.ts'
import { useSettings } from '../api/calls.ts'
import { loadProvider, normalWidth, type Provider, providers } from '../browser/captcha-providers.ts'
import { useTheme } from '../browser/theme.ts'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { Button } from './button.tsx'
import type { Captcha, CaptchaRef } from './captcha.tsx'
import { Note } from './feedback.tsx'

type Settings = NonNullable<PublicSettings['captcha']>

/** @param box where the widget appears, if there is one */
function startCaptcha(
  provider: Provider,
  box: HTMLElement,
  { siteKey, isScored }: Settings,
  look: Readonly<Record<string, string>>,
): Captcha {
  if (isScored)
    return { read: async () => (await provider.execute?.(siteKey, { action: 'submit' })) ?? '', reset: () => undefined }
  const id = provider.render(box, { sitekey: siteKey, ...look })
  return { read: () => provider.getResponse(id) ?? '', reset: () => provider.reset(id) }
}

/** Renders the widget. @returns the failure to load it, and a function that tries again */
function useWidget(container: RefObject<HTMLDivElement | null>, settings: Settings, captcha: CaptchaRef) {
  const language = languageTag(useLocale().locale)
  useTheme()
  const theme = document.documentElement.dataset.theme ?? 'light'
  const [attempt, setAttempt] = useState(0)
  const [failedAttempt, setFailedAttempt] = useState(-1)
  useEffect(() => {
    const description = providers[settings.provider]
    const place = container.current
    if (!description || !place) return
    // Providers do not let a container be used twice, such as for another theme.
    const box = document.createElement('div')
    place.replaceChildren(box)
    const size = place.clientWidth < normalWidth ? 'compact' : 'normal'
    let isLeft = false
    const started = loadProvider(description, language, settings.isScored ? settings.siteKey : 'explicit').then((provider) =>
      isLeft ? null : startCaptcha(provider, box, settings, { theme, language, hl: language, size }),
    )
    started.catch(() => isLeft || setFailedAttempt(attempt))
    captcha.current = {
      // Waits for the provider. Its failure is shown in place of the widget.
      read: async () => (await started.catch(() => null))?.read() ?? '',
      reset: () => void started.then((running) => running?.reset()),
    }
    return () => {
      isLeft = true
      captcha.current = null
    }
  }, [settings, language, theme, attempt, container, captcha])
  return { hasFailed: failedAttempt === attempt, retry: () => setAttempt(attempt + 1) }
}

export function CaptchaWidget({ settings, captcha }: { readonly settings: Settings; readonly captcha: CaptchaRef }) {
  const t = useFrameMessages()
  const { helpURL } = useSettings().branding
  const container = useRef<HTMLDivElement>(null)
  const { hasFailed, retry } = useWidget(container, settings, captcha)
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="sr-only">{t('captcha')}</legend>
      {/* As high as the widgets, so that the button does not move. */}
      <div ref={container} className={hasFailed || settings.isScored ? 'hidden' : 'min-h-[78px]'} />
      {hasFailed ? (
        <Note tone="danger" isLive>
          <p>{t('captchaFailed')}</p>
          <p className="mt-2">
            <Button onClick={retry}>{t('tryAgain')}</Button>
          </p>
        </Note>
      ) : null}
      {helpURL ? (
        <a href={helpURL} className="inline-block justify-self-start py-0.5 text-13 text-accent hover:underline">
          {t('captchaHelp')}
        </a>
      ) : null}
    </fieldset>
  )
}
